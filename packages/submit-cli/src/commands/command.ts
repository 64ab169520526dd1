import type { Redactor } from "@kindling/core-spec";
import type { Env } from "@kindling/submit";
import type { Output } from "../output/terminal.ts";

/** What every command is given of the process it runs in. */
export interface CommandContext {
  readonly env: Env;
  readonly cwd: string;
  readonly output: Output;
  /** Learns what may not be shown; the output already leaves it out. */
  readonly secrets: Redactor;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
