import type { Clock } from "@kindling/outside";
import type { LogStream } from "./logs.ts";

/** How long a log may be silent before it is checked. */
const SILENCE_MS = 15_000;

/**
 * The lines of a log that is followed. Some kubelets follow a log's file for ever, although it was rotated and the container writes
 * into another one (kubernetes/kubernetes 115701): the lines then end, as if the connection had.
 *
 * @param isStuck whether the container has written more than what has come
 */
export async function* untilStuck(
  stream: LogStream,
  clock: Clock,
  isStuck: () => Promise<boolean>,
): AsyncGenerator<string, void> {
  const lines = stream.lines();
  let count = 0;
  let isAwaited = false;
  const stop = eachTime(clock, SILENCE_MS, silence);
  let before = -1;

  /** A reader that takes its time is no silence. */
  async function silence(): Promise<void> {
    const isSilent = isAwaited && count === before;
    before = count;
    if (isSilent && (await isStuck()) && count === before) stream.close();
  }

  try {
    for (;;) {
      isAwaited = true;
      const next = await lines.next();
      isAwaited = false;
      count++;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stop();
    stream.close();
  }
}

/** Calls again and again; the next time is counted from the end of a call. */
function eachTime(clock: Clock, milliseconds: number, call: () => Promise<void>): () => void {
  let isStopped = false;
  let cancel = (): void => undefined;
  const wait = (): void => {
    if (isStopped) return;
    cancel = clock.after(milliseconds, () => void call().then(wait, wait));
  };
  wait();
  return () => {
    isStopped = true;
    cancel();
  };
}
