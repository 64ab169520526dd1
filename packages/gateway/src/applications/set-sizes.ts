import type { KubeObject } from "@kindling/api-server";
import { setMarkOf } from "../spark/spark-pod.ts";

/**
 * How many executors the sets of an application were last asked for, by their mark (`statefulsets/<name>`). A gateway
 * that has just started knows none, and learns of a set by the pods that are there until its driver asks again.
 */
export class SetSizes {
  readonly #asked = new Map<string, number>();

  ask(set: string, replicas: number): void {
    this.#asked.set(set, replicas);
  }

  /** Undoes what was asked for last: undefined for a set that is not there. */
  restore(set: string, replicas: number | undefined): void {
    if (replicas === undefined) this.#asked.delete(set);
    else this.#asked.set(set, replicas);
  }

  asked(set: string): number | undefined {
    return this.#asked.get(set);
  }

  /** How many executors are still to come of all sets, or of all but one. Pods are looked at only where there are sets. */
  outstanding(pods: () => readonly KubeObject[], without?: string): number {
    const sets = [...this.#asked].filter(([set]) => set !== without);
    if (sets.length === 0) return 0;
    const there = podsBySet(pods());
    return sets.reduce((sum, [set, asked]) => sum + Math.max(0, asked - (there.get(set) ?? 0)), 0);
  }
}

function podsBySet(pods: readonly KubeObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods) {
    const set = setMarkOf(pod);
    if (set !== undefined) counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  return counts;
}
