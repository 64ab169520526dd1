import type { KubeError } from "./kube-error.ts";

/** These codes are about the API server itself or the caller's credentials, and not about the requested object. */
const PASSING: ReadonlySet<number> = new Set([401, 410, 429]);

/**
 * Whether the same request may succeed a little later: the API server is busy, away, or refuses the credentials, or a proxy
 * has answered instead. The requested object is not the cause.
 */
export function isPassing(error: KubeError): boolean {
  if (error.kind !== "status") return error.kind !== "config";
  // Only a Status object has details.
  return PASSING.has(error.status) || error.status >= 500 || error.details === undefined;
}
