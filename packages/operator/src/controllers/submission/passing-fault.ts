import { isKindlingError } from "@kindling/core-spec";
import { isKubeError, isPassing, type KubeError } from "@kindling/kube";

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

/** Whether the same request may succeed a little later. Nobody's application is to blame for that. */
export function isPassingFault(error: unknown): boolean {
  const cause = kubeErrorIn(error);
  return cause === undefined ? isKindlingError(error) && error.code === "CLUSTER_UNREACHABLE" : isPassing(cause);
}
