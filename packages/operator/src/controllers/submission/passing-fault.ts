import { isKindlingError } from "@kindling/core-spec";
import { isKubeError, type KubeError } from "@kindling/kube";

/** What the API server, or the way to it, had to say. */
export function kubeErrorIn(error: unknown): KubeError | undefined {
  if (isKubeError(error)) return error;
  return error instanceof Error && error.cause !== undefined ? kubeErrorIn(error.cause) : undefined;
}

/** What is said of a fault that did not pass. A path that the API server does not know is most often that of a kind. */
export function lastingFaultText(error: Error): string {
  const cause = kubeErrorIn(error);
  const isUnknownPath = cause?.kind === "status" && cause.status === 404 && cause.details === undefined;
  return isUnknownPath
    ? `${error.message} (the cluster does not know this kind: install what brings it, such as the scheduler that is named)`
    : error.message;
}

/** What an API server says of itself, or of the operator's credentials, and not of what it was asked for. */
const PASSING: ReadonlySet<number> = new Set([401, 410, 429]);

/**
 * Whether the same request may succeed a little later: the API server is busy, away, or does not let the operator in, or
 * something on the way has answered in its place. Nobody's application is to blame for that.
 */
export function isPassing(error: unknown): boolean {
  const cause = kubeErrorIn(error);
  if (cause === undefined) return isKindlingError(error) && error.code === "CLUSTER_UNREACHABLE";
  if (cause.kind !== "status") return cause.kind !== "config";
  // Only of what is a Status object there are details.
  return PASSING.has(cause.status) || cause.status >= 500 || cause.details === undefined;
}
