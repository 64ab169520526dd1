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
  const { archive, index, folder, random } = options;
  return await triedUntilDone(options, signal, "recording cannot begin yet", async () => {
    const id = await spoolId(folder, random);
    await index.load();
    const isOther = await isFollowing(archive, id);
    await (isOther ? takeOver(options) : reopenCopies(options));
    // Last: if this process is killed before, the next one takes over. A store that takes nothing at present must not keep this
    // process from reading logs, so nobody waits for it.
    void triedUntilDone(options, signal, "the archive cannot be told who records", () => noteRecorder(archive, id));
    return isOther;
  });
}

/**
 * @param complaint what the log says of each try that fails
 * @returns `undefined` if the signal came before it was done
 */
async function triedUntilDone<T>(
  { clock, random, log }: Pick<PrepareTermOptions, "clock" | "random" | "log">,
  signal: AbortSignal,
  complaint: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
  while (!signal.aborted) {
    try {
      return await work();
    } catch (error) {
      log.warn(complaint, { error: messageOf(error) });
      await sleep(clock, backoff.next(), signal);
    }
  }
  return undefined;
}
