import { isKindlingError, messageOf } from "@kindling/core-spec";
import type { Output } from "./output.ts";

/** Prints an error for the user: what was wrong, what to do and, only if asked for, what it was caused by. */
export function printError(error: unknown, output: Output, verbose: boolean): void {
  const known = isKindlingError(error);
  output.err(`error: ${known ? error.message : `this is a fault of kindling itself: ${messageOf(error)}`}\n`);
  const hint = known ? error.hint : "please report it, with the output of --verbose";
  if (hint !== undefined) output.err(`hint: ${hint}\n`);
  if (!verbose || !(error instanceof Error)) return;
  // Where in the program it came from helps where it is the program's fault, and is noise where it is the user's input's.
  const shown = (fault: Error): string => (known ? fault.message : (fault.stack ?? fault.message));
  if (!known) output.err(`${shown(error)}\n`);
  for (let at = error; at.cause instanceof Error; at = at.cause)
    if (shown(at.cause) !== shown(at)) output.err(`caused by: ${shown(at.cause)}\n`);
}
