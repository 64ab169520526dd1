import type { Redactor } from "@kindling/core-spec";
import type { Outside } from "@kindling/outside";
import type { Output } from "./output/output.ts";

/** What every command gets from its process. */
export interface CommandContext {
  readonly outside: Outside;
  readonly output: Output;
  /** Receives the texts that may not be shown; the output already leaves them out. */
  readonly secrets: Redactor;
  /** Aborted when the user interrupts; the reason is the signal's name. */
  readonly signal: AbortSignal;
  /** Asks a yes/no question; undefined if there is nobody to ask. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined;
}
