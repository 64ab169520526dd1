import type { KubeObject } from "@kindling/kube-objects";
import { hasEnded, isExecutor, setMarkOf } from "../../spark/spark-pod.ts";
import { ExecutorSet } from "./executor-set.ts";
import { markOf, type SetKind } from "../../spark/set-marks.ts";

/** The sets of executors of one application, by their marks (`statefulsets/<name>`). */
export class ExecutorSets {
  readonly #sets = new Map<string, ExecutorSet>();
  /** What the driver is asking for just now, before the cluster has answered. */
  readonly #asked = new Map<string, number>();

  get size(): number {
    return this.#sets.size;
  }

  all(): IterableIterator<ExecutorSet> {
    return this.#sets.values();
  }

  get(mark: string): ExecutorSet | undefined {
    return this.#sets.get(mark);
  }

  /** How many executors wait for their admission. */
  get waiting(): number {
    let waiting = 0;
    for (const set of this.#sets.values()) waiting += set.waiting;
    return waiting;
  }

  /** Takes the state of a set in the cluster. A set that is being deleted wants no executors any more. */
  seen(kind: SetKind, object: KubeObject): ExecutorSet | undefined {
    const { name, uid, deletionTimestamp } = object.metadata;
    const mark = markOf(kind, name);
    if (deletionTimestamp !== undefined) {
      this.gone(mark, uid);
      return undefined;
    }
    const known = this.#sets.get(mark);
    if (known?.uid === uid) {
      known.seen(object);
      return known;
    }
    const set = new ExecutorSet(kind, object);
    this.#sets.set(mark, set);
    return set;
  }

  /** A set is no longer in the cluster; a new set with its name is kept. */
  gone(mark: string, uid: string): void {
    if (this.#sets.get(mark)?.uid === uid) this.#sets.delete(mark);
  }

  /** Counts a set's executors from the moment in which they are requested, unless the request fails. */
  async asking<T>(mark: string, replicas: number, ask: () => Promise<T>): Promise<T> {
    this.#asked.set(mark, replicas);
    try {
      return await ask();
    } finally {
      this.#asked.delete(mark);
    }
  }

  /** How many executors are still missing from all sets, or from all except one. Pods are listed only if there are sets. */
  outstanding(pods: () => readonly KubeObject[], without?: string): number {
    const marks = new Set([...this.#sets.keys(), ...this.#asked.keys()]);
    if (without !== undefined) marks.delete(without);
    if (marks.size === 0) return 0;
    const there = podsBySet(pods());
    return [...marks].reduce((sum, mark) => {
      const wanted = Math.max(this.#sets.get(mark)?.wanted ?? 0, this.#asked.get(mark) ?? 0);
      return sum + Math.max(0, wanted - (there.get(mark) ?? 0));
    }, 0);
  }
}

/** How many executors of each set are there and are not being deleted; the controller of a set replaces those that go. */
export function staying(pods: readonly KubeObject[]): ReadonlyMap<string, number> {
  return podsBySet(
    pods.filter((pod) => isExecutor(pod) && !hasEnded(pod) && pod.metadata.deletionTimestamp === undefined),
  );
}

function podsBySet(pods: readonly KubeObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pod of pods) {
    const set = setMarkOf(pod);
    if (set !== undefined) counts.set(set, (counts.get(set) ?? 0) + 1);
  }
  return counts;
}
