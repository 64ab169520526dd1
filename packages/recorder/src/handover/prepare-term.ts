import { messageOf } from "@kindling/core-spec";
import { createBackoff } from "@kindling/kube";
import { type Outside, sleep } from "@kindling/outside";
import type { RunIndex } from "../runs/run-index.ts";
import { isFollowing, noteRecorder, spoolId } from "./last-recorder.ts";
import { reopenCopies, takeOver, type TakeOverOptions } from "./take-over.ts";

export interface PrepareTermOptions extends TakeOverOptions, Pick<Outside, "clock" | "random"> {
  readonly index: Pick<RunIndex, "load">;
}

const BACKOFF = { baseMs: 500, capMs: 15_000, resetAfterMs: 60_000 };

/**
 * Makes ready to record: learns what others have stored meanwhile, and takes over from the recorder before. It is tried until it
 * succeeds: without it, runs would be stored again with less than what is kept.
 *
 * @returns whether another recorder has recorded before; `undefined` if the signal came first
 */
export async function prepareTerm(options: PrepareTermOptions, signal: AbortSignal): Promise<boolean | undefined> {
  const { archive, index, folder, clock, random, log } = options;
  const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
  while (!signal.aborted) {
    try {
      const id = await spoolId(folder, random);
      await index.load();
      const isOther = await isFollowing(archive, id);
      await (isOther ? takeOver(options) : reopenCopies(options));
      // Last: if this process is killed before, the next one takes over.
      void noted(options, id, signal);
      return isOther;
    } catch (error) {
      log.warn("recording cannot begin yet", { error: messageOf(error) });
      await sleep(clock, backoff.next(), signal);
    }
  }
  return undefined;
}

/** A store that takes nothing at present must not keep this process from reading logs. */
async function noted(
  { archive, clock, random, log }: PrepareTermOptions,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
  while (!signal.aborted) {
    try {
      await noteRecorder(archive, id);
      return;
    } catch (error) {
      log.warn("the archive cannot be told who records", { error: messageOf(error) });
      await sleep(clock, backoff.next(), signal);
    }
  }
}
