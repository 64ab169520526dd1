import { isObject } from "@kindling/kube-objects";
import { objectAt, textAt } from "../json/fields.ts";

/** How long Java collected garbage, of how much time, in milliseconds. */
export interface Collecting {
  readonly id: string;
  readonly collectedMs: number;
  readonly ofMs: number;
}

/** A shorter time says little: executors report every ten seconds, and one collection may take as long. */
const LEAST_MS = 30_000;
/** With so much of its time, a full heap is collected again and again, and hardly anything else is done. */
const SHARE = 0.85;

interface Reading {
  readonly at: number;
  readonly collectedMs: number;
}

/**
 * Finds executors that do little else than collect garbage. Java gives up only when a collection frees nothing at all, and may go
 * on for many minutes before that (the serial collector and G1 know no `GCTimeLimit`).
 */
export class CollectionWatch {
  /** The readings of the last {@link LEAST_MS}, and one before them, by the ids of executors. */
  #readings = new Map<string, readonly Reading[]>();

  /**
   * @param executors as Spark's REST API lists them (`allexecutors`)
   * @param at when they were asked for, in milliseconds
   */
  look(executors: unknown, at: number): readonly Collecting[] {
    const now = collectionTimes(executors);
    this.#readings = new Map(
      [...now].map(([id, collectedMs]) => {
        const all = [...(this.#readings.get(id) ?? []), { at, collectedMs }];
        const oldest = all.findLastIndex((one) => one.at <= at - LEAST_MS);
        return [id, all.slice(Math.max(0, oldest))];
      }),
    );
    return [...this.#readings].flatMap(([id, [first, ...later]]) => {
      const last = later.at(-1);
      if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return [];
      const [collectedMs, ofMs] = [last.collectedMs - first.collectedMs, last.at - first.at];
      return collectedMs >= ofMs * SHARE ? [{ id, collectedMs: Math.min(collectedMs, ofMs), ofMs }] : [];
    });
  }
}

/** How long each executor has collected since its start, in milliseconds (Spark's ExecutorMetricType.GarbageCollectionMetrics). */
function collectionTimes(executors: unknown): ReadonlyMap<string, number> {
  if (!Array.isArray(executors)) return new Map();
  return new Map(
    executors.flatMap((executor) => {
      const id = textAt(executor, "id");
      if (id === undefined || id === "driver" || (isObject(executor) && executor["isActive"] === false)) return [];
      const metrics = objectAt(executor, "peakMemoryMetrics");
      const [minor, major] = [metrics["MinorGCTime"], metrics["MajorGCTime"]];
      return typeof minor === "number" && typeof major === "number" ? [[id, minor + major] as const] : [];
    }),
  );
}
