import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { RunIndex } from "../runs/run-index.ts";

export interface StandByOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly index: Pick<RunIndex, "load">;
  readonly isRecording: () => boolean;
}

/** What another recorder stores is shown here after this time at the latest. */
const EVERY_MS = 15_000;

/** Reads what another recorder stores, for the readers of this one, until the signal. */
export async function standBy({ clock, log, index, isRecording }: StandByOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, EVERY_MS, signal);
    if (signal.aborted || isRecording()) continue;
    try {
      await index.load();
    } catch (error) {
      log.warn("what another recorder has stored cannot be read", { error: messageOf(error) });
    }
  }
}
