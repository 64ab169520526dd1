import type { Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Output } from "../output/terminal.ts";

/** What every command is given of the process it runs in. */
export interface CommandContext {
  readonly outside: Outside;
  readonly output: Output;
  /** Learns what may not be shown; the output already leaves it out. */
  readonly secrets: Redactor;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}
