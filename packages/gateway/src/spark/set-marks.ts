/** Objects of which executors come in numbers, by their plural. */
export type SetKind = "statefulsets" | "deployments";

/** A set as pods name it that are of it. */
export function markOf(kind: SetKind, name: string): string {
  return `${kind}/${name}`;
}

/** An executor that a set does not have yet, as plans name it: no pod can have such a name. */
export function setExecutorId(mark: string, ordinal: number): string {
  return `${mark}/${ordinal}`;
}

/** The set that an executor of a plan is of; undefined for one that its driver makes itself. */
export function setOfExecutor(id: string): string | undefined {
  const end = id.lastIndexOf("/");
  return end === -1 ? undefined : id.slice(0, end);
}

/** An executor of a plan as people are told of it: the name of its pod, which of a StatefulSet's it will have. */
export function executorName(id: string): string {
  const [, name, ordinal] = id.split("/");
  return name === undefined || ordinal === undefined ? id : `${name}-${ordinal}`;
}
