import type { ApplicationDemand, Decision } from "@kindling/admission";

export interface DecisionCount {
  readonly queue: string;
  readonly decision: Decision["kind"];
  readonly count: number;
}

/**
 * Counts the decisions of a plan by kind and queue. An executor that is asked to leave or deleted counts for the queue from
 * which it is taken.
 */
export function decisionCounts(
  decisions: readonly Decision[],
  applications: readonly Pick<ApplicationDemand, "id" | "queue">[],
): readonly DecisionCount[] {
  const queues = new Map(applications.map(({ id, queue }) => [id, queue]));
  const counts = new Map<string, DecisionCount>();
  for (const { kind: decision, application } of decisions) {
    const queue = queues.get(application);
    if (queue === undefined) continue;
    const key = `${decision} ${queue}`;
    counts.set(key, { queue, decision, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}
