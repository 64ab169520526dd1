import { isKubeError, type KubeError } from "./kube-error.ts";

function hasStatus(error: unknown, status: number): error is KubeError & { kind: "status" } {
  return isKubeError(error) && error.kind === "status" && error.status === status;
}

/** 404: the object, its namespace or its kind does not exist. */
export function isNotFound(error: unknown): boolean {
  return hasStatus(error, 404);
}

/** 409 `AlreadyExists`: a create of a name that is taken. */
export function isAlreadyExists(error: unknown): boolean {
  return hasStatus(error, 409) && error.reason === "AlreadyExists";
}

/** 409 of any kind: the name is taken, the object changed meanwhile, or another field manager owns a field. */
export function isConflict(error: unknown): boolean {
  return hasStatus(error, 409);
}

/** 410, as an answer or inside a watch: the resource version or continue token is too old; list again. */
export function isExpired(error: unknown): boolean {
  return hasStatus(error, 410);
}
