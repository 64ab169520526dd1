/** Kinds of objects that create executors by a number of replicas, in the plural. */
export type SetKind = "statefulsets" | "deployments";

/** The name of a set in the annotation of its pods. */
export function markOf(kind: SetKind, name: string): string {
  return `${kind}/${name}`;
}

/** The name in plans of an executor that a set does not have yet: no pod can have such a name. */
export function setExecutorId(mark: string, ordinal: number): string {
  return `${mark}/${ordinal}`;
}

/** The set of an executor in a plan; undefined for an executor that the driver itself creates. */
export function setOfExecutor(id: string): string | undefined {
  const end = id.lastIndexOf("/");
  return end === -1 ? undefined : id.slice(0, end);
}

/** The name of a plan's executor for people: the name of its pod; for a StatefulSet, the name that it will have. */
export function executorName(id: string): string {
  const [, name, ordinal] = id.split("/");
  return name === undefined || ordinal === undefined ? id : `${name}-${ordinal}`;
}
