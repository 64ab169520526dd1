import { isKubeError, type KubeError } from "./kube-error.ts";
import type { ResourceType } from "../resource-type.ts";

function hasStatus(error: unknown, status: number): error is KubeError & { kind: "status" } {
  return isKubeError(error) && error.kind === "status" && error.status === status;
}

/**
 * 404 of any kind: the object, its namespace or its kind does not exist, or something that is not an API server has answered.
 * This is enough before creating a missing object; code that must be certain uses {@link isObjectNotFound}.
 */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404);
}

/**
 * Whether an API server says that exactly this object does not exist: a Status with code 404 and reason NotFound whose
 * details name the resource and the object (apimachinery, `NewNotFound`). The 404 of a proxy or of an ingress does not count,
 * and neither does the 404 for a path or a resource type that the server does not serve.
 */
export function isObjectNotFound(error: unknown, type: ResourceType, name: string): boolean {
  if (!hasStatus(error, 404) || error.reason !== "NotFound") return false;
  const { details } = error;
  return details?.kind === type.plural && (details.group ?? "") === type.group && details.name === name;
}

/** 409 `AlreadyExists`: a create of a name that is taken. */
export function isAlreadyExists(error: unknown): boolean {
  return hasStatus(error, 409) && error.reason === "AlreadyExists";
}

/** 409 of any kind: the name is taken, the object has changed in the meantime, or another field manager owns a field. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409);
}

/** 410, as an answer or inside a watch: the resource version or continue token is too old; list again. */
export function isExpired(error: unknown): boolean {
  return hasStatus(error, 410);
}
