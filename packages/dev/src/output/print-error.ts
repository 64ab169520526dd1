import { isKindlingError, messageOf } from "@kindling/core-spec";
import type { Output } from "./output.ts";

/** Prints an error for the user: what was wrong, what to do and, only if asked for, where it came from. */
export function printError(error: unknown, output: Output, verbose: boolean): void {
  const known = isKindlingError(error);
  output.err(`error: ${known ? error.message : `this is a fault of kindling itself: ${messageOf(error)}`}\n`);
  const hint = known ? error.hint : "please report it, with the output of --verbose";
  if (hint !== undefined) output.err(`hint: ${hint}\n`);
  if (!verbose) return;
  for (let cause = error; cause instanceof Error; cause = cause.cause) output.err(`${cause.stack ?? cause.message}\n`);
}
