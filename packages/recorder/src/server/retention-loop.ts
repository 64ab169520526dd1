import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { deleteLeftovers, type LeftoverOptions } from "../runs/leftovers.ts";
import { deleteExpired } from "../runs/retention.ts";

export interface RetentionLoopOptions extends Omit<LeftoverOptions, "now"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly intervalMs: number;
  readonly onDeleted: (count: number) => void;
  /** Whether this process may delete at present: another one may record. */
  readonly mayDelete: () => boolean;
}

/** While another process may delete, it is looked so often whether this one may. */
const STANDBY_MS = 5_000;
/** All files of the archive are listed for this. */
const LEFTOVERS_MS = 24 * 3_600_000;

/** Deletes what is kept no longer, at once and then from time to time, until the signal. */
export async function deleteExpiredForever(options: RetentionLoopOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, intervalMs, onDeleted, mayDelete } = options;
  // Not at once: what the process that recorded before has left is read first.
  const firstLeftovers = (): number => clock.monotonic() + Math.min(intervalMs, LEFTOVERS_MS);
  let leftoversAt = firstLeftovers();
  while (!signal.aborted) {
    if (!mayDelete()) {
      leftoversAt = firstLeftovers();
      await sleep(clock, Math.min(intervalMs, STANDBY_MS), signal);
      continue;
    }
    try {
      const count = await deleteExpired({ ...options, now: () => clock.now() });
      if (count > 0) log.info("runs that are kept no longer were deleted", { count });
      onDeleted(count);
      if (clock.monotonic() >= leftoversAt) {
        leftoversAt = clock.monotonic() + LEFTOVERS_MS;
        const leftovers = await deleteLeftovers({ ...options, now: () => clock.now() });
        if (leftovers > 0) log.info("old files that belong to no run were deleted", { folders: leftovers });
      }
    } catch (error) {
      log.warn("runs that are kept no longer cannot be deleted", { error: messageOf(error) });
    }
    await sleep(clock, intervalMs, signal);
  }
}
