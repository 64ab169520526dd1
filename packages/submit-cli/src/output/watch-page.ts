import type { CommandContext } from "@kindling/command-line";
import { EXIT_CODES } from "@kindling/core-spec";
import { sleep } from "@kindling/outside";

const INTERVAL_MS = 2000;

export interface WatchedPage<T> {
  /** Reads the current content. */
  readonly read: () => Promise<T>;
  readonly textOf: (content: T) => Promise<string>;
  /** Whether nothing will change any more. */
  readonly isLast: (content: T) => boolean;
}

/** Shows a page again whenever its content changes, until the last one or an interrupt. The result is the exit code. */
export async function watchPage<T>(
  { read, textOf, isLast }: WatchedPage<T>,
  { outside, output, signal }: CommandContext,
): Promise<number> {
  let shown: string | undefined;
  for (;;) {
    const content = await read();
    // Ages do not count as a change: the content has times instead.
    const all = JSON.stringify(content);
    if (all !== shown) output.page(await textOf(content));
    shown = all;
    if (isLast(content)) return 0;
    await sleep(outside.clock, INTERVAL_MS, signal);
    if (signal.aborted) return EXIT_CODES.interrupted.code;
  }
}
