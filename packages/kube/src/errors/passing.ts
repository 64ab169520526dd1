import type { KubeError } from "./kube-error.ts";

/** What an API server says of itself, or of the caller's credentials, and not of what it was asked for. */
const PASSING: ReadonlySet<number> = new Set([401, 410, 429]);

/**
 * Whether the same request may succeed a little later: the API server is busy, away, or does not let the caller in, or
 * something on the way has answered in its place. What was asked for is not to blame for that.
 */
export function isPassing(error: KubeError): boolean {
  if (error.kind !== "status") return error.kind !== "config";
  // Only of what is a Status object there are details.
  return PASSING.has(error.status) || error.status >= 500 || error.details === undefined;
}
