import { type Condition, defined, formatTime, jsonEqual } from "@kindling/kube-objects";

/**
 * The conditions with one of them set. The time of its last transition stays as long as its status stays the same; an
 * unchanged list is returned as it is.
 */
export function setCondition(conditions: readonly Condition[], wanted: Condition, now: number): Condition[] {
  const index = conditions.findIndex(({ type }) => type === wanted.type);
  const current = conditions[index];
  const same = current !== undefined && current.status === wanted.status;
  const lastTransitionTime = same ? (current.lastTransitionTime ?? null) : formatTime(now);
  const condition: Condition = Object.assign(defined(wanted), { lastTransitionTime });
  if (current === undefined) return [...conditions, condition];
  if (jsonEqual(current, condition)) return [...conditions];
  return conditions.map((one, at) => (at === index ? condition : one));
}

/** Whether a condition is true. */
export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}
