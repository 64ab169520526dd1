import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { deleteExpired, type RetentionOptions } from "../runs/retention.ts";

export interface RetentionLoopOptions extends Omit<RetentionOptions, "now"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly intervalMs: number;
  readonly onDeleted: (count: number) => void;
  /** Whether this process may delete at present: another one may record. */
  readonly mayDelete: () => boolean;
}

/** While another process may delete, it is looked so often whether this one may. */
const STANDBY_MS = 5_000;

/** Deletes what is kept no longer, at once and then from time to time, until the signal. */
export async function deleteExpiredForever(options: RetentionLoopOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, intervalMs, onDeleted, mayDelete } = options;
  while (!signal.aborted) {
    if (!mayDelete()) {
      await sleep(clock, Math.min(intervalMs, STANDBY_MS), signal);
      continue;
    }
    try {
      const count = await deleteExpired({ ...options, now: () => clock.now() });
      if (count > 0) log.info("runs that are kept no longer were deleted", { count });
      onDeleted(count);
    } catch (error) {
      log.warn("runs that are kept no longer cannot be deleted", { error: messageOf(error) });
    }
    await sleep(clock, intervalMs, signal);
  }
}
