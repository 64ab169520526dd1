import type { KubeError } from "../errors/kube-error.ts";

/** Whether a failure may come from what the client has shown, not from what the server is. */
export function isAboutClient(failure: KubeError): boolean {
  if (failure.kind === "status") return failure.status === 401;
  if (failure.kind === "tls") return failure.code?.includes("ALERT") === true;
  return failure.kind === "unreachable" && (failure.code === "ECONNRESET" || failure.code === "EPIPE");
}
