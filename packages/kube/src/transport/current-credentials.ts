import type { Credentials } from "../credentials/credential-source.ts";
import { isKubeError, kubeError, type KubeErrorContext } from "../errors/kube-error.ts";
import { untilAborted } from "../until-aborted.ts";
import { throwIfStopped, throwStopped } from "./stopped.ts";
import type { TransportContext } from "./transport-context.ts";

/** A plug-in may take minutes; a request that is aborted earlier does not wait for it. */
export async function currentCredentials(
  { access, closing }: TransportContext,
  signal: AbortSignal | undefined,
  context: KubeErrorContext,
): Promise<Credentials> {
  throwIfStopped(signal, closing, context);
  const fetching = access.credentials.current(signal ?? closing);
  if (!(fetching instanceof Promise)) return fetching;
  try {
    const credentials = await untilAborted(fetching, signal, closing);
    if (credentials !== undefined) return credentials;
  } catch (error) {
    if (!isKubeError(error) || context.mayHaveHappened !== true) throw error;
    // All waiting requests share the error itself, but only an earlier attempt of this request may have happened.
    throw kubeError({ kind: "credentials" }, error.message, { ...context, hint: error.hint, cause: error });
  }
  return throwStopped(signal, closing, context);
}
