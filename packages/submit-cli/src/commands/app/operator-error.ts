import { harmlessText, KindlingError } from "@kindling/core-spec";
import { isConflict, isKubeError, type ResourceType } from "@kindling/kube";
import { clusterError } from "@kindling/submit";

/**
 * Turns any error of a call about objects of a kind into an error for the user. An API server that does not know the kind
 * answers 404 without a reason.
 */
export function operatorError(error: unknown, { kind, group, version }: ResourceType): KindlingError {
  if (!isKubeError(error) || error.kind !== "status") return clusterError(error);
  if (isConflict(error)) {
    const message = harmlessText(error.serverMessage.trim() || error.message);
    return new KindlingError("OBJECT_CONFLICT", message, { hint: "it has changed meanwhile; try again", cause: error });
  }
  if (error.status !== 404 || error.reason !== undefined) return clusterError(error);
  return new KindlingError("OBJECT_NOT_FOUND", `the cluster has no ${kind} (${group}/${version})`, {
    hint: "install the operator, which brings its CustomResourceDefinitions; if it is there, check --master and --context",
    cause: error,
  });
}
