import type { Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Output } from "./output/output.ts";

/** What every command is given of the process that it runs in. */
export interface CommandContext {
  readonly outside: Outside;
  readonly output: Output;
  /** Learns what may not be shown; the output already leaves it out. */
  readonly secrets: Redactor;
  /** Aborted when the user interrupts; the reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Asks a question that is answered with yes or no; undefined where nobody can be asked. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}
