import { harmlessText, isKindlingError, messageOf } from "@kindling/core-spec";

/** One line of an error, or a stack trace. */
export interface ErrorLine {
  /** The label before the text, if there is one. */
  readonly label: "error" | "hint" | "caused by" | undefined;
  readonly text: string;
}

// A message consists of Kindling's own words, names, and at most 1 KiB of text from outside.
const LONGEST_LINE = 4096;
// A chain of causes may be circular.
const MOST_CAUSES = 10;

/**
 * The lines that a command prints for an error: what was wrong, what to do and, only if asked for, the causes. Quoted texts
 * cannot add lines or move a terminal's cursor.
 */
export function errorLines(error: unknown, verbose: boolean): ErrorLine[] {
  const known = isKindlingError(error);
  const message = known ? error.message : `this is a fault of kindling itself: ${messageOf(error)}`;
  const report = verbose ? "please report it, with all of this" : "please report it, with the output of --verbose";
  const hint = known ? error.hint : report;
  const lines: ErrorLine[] = [{ label: "error", text: harmlessText(message, LONGEST_LINE) }];
  if (hint !== undefined) lines.push({ label: "hint", text: harmlessText(hint, LONGEST_LINE) });
  if (!verbose || !(error instanceof Error)) return lines;
  // The place in the program is useful if the program has a bug, but not if the user's input is wrong.
  const shown = (fault: Error): string => (known ? harmlessText(fault.message) : stackOf(fault));
  if (!known) lines.push({ label: undefined, text: shown(error) });
  let effect: Error = error;
  for (let depth = 0; effect.cause instanceof Error && depth < MOST_CAUSES; depth++) {
    const { cause } = effect;
    if (shown(cause) !== shown(effect)) lines.push({ label: "caused by", text: shown(cause) });
    effect = cause;
  }
  return lines;
}

/** The message in one line, then the stack's lines. */
function stackOf({ name, message, stack = "" }: Error): string {
  const calls = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  return [`${name}: ${harmlessText(message)}`, ...calls.map((line) => `    ${harmlessText(line.trim())}`)].join("\n");
}
