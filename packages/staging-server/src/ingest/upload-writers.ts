import { type Clock, within } from "@kindling/outside";
import { ProblemError } from "../errors/problem-error.ts";

/** One request at a time writes to an upload; the latest request gets it. */
export interface UploadWriters {
  /** Whether a request writes to it, or waits for it. */
  readonly has: (id: string) => boolean;
  /**
   * Ends the request that writes, and waits until it has ended.
   *
   * @param write calls `leave` when it has ended, if it does not fail; the signal says that a later request takes over
   * @throws ProblemError `conflict` if a later request came, `store-unavailable` if an earlier one does not end
   */
  begin<T>(id: string, write: (signal: AbortSignal, leave: () => void) => Promise<T>): Promise<T>;
}

interface Writer {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

// If a request does not end when it has to, its disk is slow.
const GIVE_WAY_MS = 30_000;

export function uploadWriters(clock: Clock): UploadWriters {
  const active = new Map<string, Writer>();
  return {
    has: (id) => active.has(id),
    async begin(id, write) {
      const abort = new AbortController();
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const previous = active.get(id);
      active.set(id, { abort, ended });
      const leaveNow = (): void => {
        if (active.get(id)?.abort === abort) active.delete(id);
        end();
      };
      // Not before the previous request has ended: a request that waits for its disk still has the upload.
      const leave = (): void => (previous === undefined ? leaveNow() : void previous.ended.then(leaveNow));
      try {
        if (previous !== undefined) await givenWay(previous, clock);
        // Three requests at once: the third took over from the second before the second began.
        if (abort.signal.aborted) throw new ProblemError("conflict", "a later request for the same upload took over");
        return await write(abort.signal, leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

async function givenWay(previous: Writer, clock: Clock): Promise<void> {
  previous.abort.abort(new Error("a later request took over"));
  await within(clock, GIVE_WAY_MS, previous.ended, () => {
    throw new ProblemError("store-unavailable", "an earlier request for this upload is held up by the storage", {
      retryAfterSeconds: 5,
    });
  });
}
