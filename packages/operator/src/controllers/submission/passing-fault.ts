import { isKindlingError } from "@kindling/core-spec";
import { isKubeError, isPassing, type KubeError } from "@kindling/kube";

/** The error of the API server, or of the connection to it, among an error's causes. */
export function kubeErrorIn(error: unknown): KubeError | undefined {
  if (isKubeError(error)) return error;
  return error instanceof Error && error.cause !== undefined ? kubeErrorIn(error.cause) : undefined;
}

/**
 * The message for a fault that did not go away. A path that the API server does not know is most often the path of an
 * unknown kind.
 */
export function lastingFaultText(error: Error): string {
  const cause = kubeErrorIn(error);
  const isUnknownPath = cause?.kind === "status" && cause.status === 404 && cause.details === undefined;
  return isUnknownPath
    ? `${error.message} (the cluster does not know this kind: install what brings it, such as the scheduler that is named)`
    : error.message;
}

/** Whether the same request may succeed a little later. The application is not the cause of such a fault. */
export function isPassingFault(error: unknown): boolean {
  const cause = kubeErrorIn(error);
  return cause === undefined ? isKindlingError(error) && error.code === "CLUSTER_UNREACHABLE" : isPassing(cause);
}
