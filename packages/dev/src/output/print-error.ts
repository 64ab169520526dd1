import { errorLines } from "@kindling/core-spec";
import type { Output } from "./output.ts";

/** Prints an error for the user: what was wrong, what to do and, only if asked for, what it was caused by. */
export function printError(error: unknown, output: Output, verbose: boolean): void {
  for (const { label, text } of errorLines(error, verbose)) {
    output.err(`${label === undefined ? "" : `${label}: `}${text}\n`);
  }
}
