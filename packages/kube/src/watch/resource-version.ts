/**
 * Which of two resource versions of one type of resource was given out first: negative, 0 or positive as of a sort. They are
 * whole numbers of any length that grow with each change, as API servers have promised since Kubernetes 1.35 and have always
 * done (KEP-5504, "Comparable Resource Version"). Undefined for other texts, which cannot be compared.
 */
export function compareResourceVersions(one: string, other: string): number | undefined {
  if (!isNumber(one) || !isNumber(other)) return undefined;
  if (one.length !== other.length) return one.length - other.length;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether one resource version is older than another; false if they cannot be compared. */
export function isOlder(version: string, than: string): boolean {
  return (compareResourceVersions(version, than) ?? 0) < 0;
}

/** Whether resource versions can be compared with this one. */
export function isComparable(version: string): boolean {
  return isNumber(version);
}

function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}
