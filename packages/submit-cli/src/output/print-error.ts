import { isKindlingError, messageOf } from "@kindling/core-spec";
import { paint, type Output } from "./terminal.ts";

/** Prints an error for the user: what was wrong, what to do and, only if asked for, where it came from. */
export function printError(error: unknown, output: Output, verbose: boolean): void {
  const known = isKindlingError(error);
  const message = known ? error.message : `this is a fault of kindling itself: ${messageOf(error)}`;
  output.err(`${paint(output, "red", "error:")} ${message}\n`);
  const hint = known ? error.hint : "please report it, with the output of --verbose";
  if (hint !== undefined) output.err(`${paint(output, "dim", "hint:")} ${hint}\n`);
  if (verbose && error instanceof Error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      output.err(`${cause.stack ?? cause.message}\n`);
  }
}
