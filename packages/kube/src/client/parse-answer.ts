import { kubeError } from "../errors/kube-error.ts";

/** The JSON of a 2xx answer. Something on the way that answers for the API server is the usual cause when it is not. */
export function parseAnswer(request: { readonly method: string; readonly path: string }, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw kubeError({ kind: "protocol" }, `${request.method} ${request.path}: the answer is not JSON`, {
      ...request,
      hint: "check that the server's URL is that of a Kubernetes API server",
      cause: error,
    });
  }
}
