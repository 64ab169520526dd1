import type { KubeError } from "../errors/kube-error.ts";

/** Whether the cause of a failure may be the client's credentials, and not the server. */
export function isAboutClient(failure: KubeError): boolean {
  if (failure.kind === "status") return failure.status === 401;
  if (failure.kind === "tls") return failure.code?.includes("ALERT") === true;
  return failure.kind === "unreachable" && (failure.code === "ECONNRESET" || failure.code === "EPIPE");
}
