import { harmlessText } from "@kindling/core-spec";
import type { RefusalKind } from "../remote-error.ts";

/** After a line about a kind of refusal, others of this kind are only counted for this time. */
const QUIET_MS = 60_000;
const MOST_BYTES = 512;

interface Told {
  readonly at: number;
  untold: number;
}

/** Writes a line about a refusal, at most one a minute for each kind, so that nobody can fill the log. */
export class Refusals {
  readonly #now: () => number;
  readonly #write: (line: string) => void;
  readonly #told = new Map<RefusalKind, Told>();

  /** @param now milliseconds that only ever grow */
  constructor(now: () => number, write: (line: string) => void) {
    this.#now = now;
    this.#write = write;
  }

  /**
   * @param client the address of the client, if it is known
   * @param text from outside, of any length
   */
  note(kind: RefusalKind, client: string | undefined, text: string): void {
    const now = this.#now();
    const before = this.#told.get(kind);
    if (before !== undefined && now - before.at < QUIET_MS) {
      before.untold += 1;
      return;
    }
    const more = before === undefined || before.untold === 0 ? "" : ` (and ${before.untold} more since the last line)`;
    this.#told.set(kind, { at: now, untold: 0 });
    this.#write(`refused (${kind}) ${client ?? "a client"}: ${harmlessText(text, MOST_BYTES)}${more}`);
  }
}
