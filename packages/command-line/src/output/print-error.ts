import { errorLines } from "./error-lines.ts";
import { paint } from "./palette.ts";
import type { Output } from "./output.ts";

const COLORS = { error: "red", hint: "dim", "caused by": "dim" } as const;

/** Prints an error for the user: what was wrong, what to do and, only if asked for, the causes. */
export function printError(error: unknown, output: Output, verbose: boolean): void {
  for (const { label, text } of errorLines(error, verbose)) {
    output.err(label === undefined ? `${text}\n` : `${paint(output, COLORS[label], `${label}:`)} ${text}\n`);
  }
}

/** Prints a notice for the user that stops nothing. */
export function printNotice(message: string, output: Output): void {
  output.err(`${paint(output, "yellow", "note:")} ${message}\n`);
}
