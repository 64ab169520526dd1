import type { Clock } from "./clock.ts";
import { sleep } from "./sleep.ts";

/**
 * Waits for work, but no longer than so many milliseconds, or until one of the signals aborts. The work itself goes on after
 * that, and its fault is nobody's any more.
 *
 * @param late says what to return instead of the work's result, or throws
 */
export async function within<T, L>(
  clock: Pick<Clock, "after">,
  milliseconds: number,
  work: Promise<T>,
  late: () => L,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<T | L> {
  const ended = new AbortController();
  const slept = sleep(clock, milliseconds, ended.signal, ...signals).then(() => undefined);
  try {
    const inTime = await Promise.race([work.then((result) => ({ result })), slept]);
    return inTime === undefined ? late() : inTime.result;
  } finally {
    ended.abort();
  }
}
