import type { SparkApplicationStatus } from "@kindling/spark-application";
import { isDeepStrictEqual } from "node:util";

/** How long a status may be behind its executors: one second, and longer if there are many executors. */
const LEAST_MS = 1_000;
const MS_PER_EXECUTOR = 10;

/** Limits the rate of writes of a status if only its executors changed: they may change many times a second. */
export interface ExecutorWritePace {
  /** How long to wait before this status is written; 0 for at once. */
  waitMs(uid: string, stored: SparkApplicationStatus, next: SparkApplicationStatus): number;
  written(uid: string): void;
  forget(uid: string): void;
}

export function createExecutorWritePace(now: () => number): ExecutorWritePace {
  const lastWrites = new Map<string, number>();
  return {
    waitMs(uid, stored, next) {
      if (!isDeepStrictEqual({ ...stored, executorState: undefined }, { ...next, executorState: undefined })) return 0;
      const executors = Object.keys(next.executorState ?? {}).length;
      const mayBeWrittenAt = (lastWrites.get(uid) ?? 0) + Math.max(LEAST_MS, executors * MS_PER_EXECUTOR);
      return Math.max(0, mayBeWrittenAt - now());
    },
    written: (uid) => void lastWrites.set(uid, now()),
    forget: (uid) => void lastWrites.delete(uid),
  };
}
