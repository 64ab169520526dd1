import { harmlessText, isKindlingError, messageOf } from "@kindling/core-spec";

/** One line, or the trace of a stack, that tells of an error. */
export interface ErrorLine {
  /** What stands before the text, if anything does. */
  readonly label: "error" | "hint" | "caused by" | undefined;
  readonly text: string;
}

// A message is made of our own words, names, and at most 1 KiB of what somebody else says.
const LONGEST_LINE = 4096;
// A chain of causes may be a circle.
const MOST_CAUSES = 10;

/**
 * What a command says of an error: what was wrong, what to do and, only if asked for, what it was caused by. Whatever is
 * quoted in it, nothing makes a line of its own or moves a terminal's cursor.
 */
export function errorLines(error: unknown, verbose: boolean): ErrorLine[] {
  const known = isKindlingError(error);
  const message = known ? error.message : `this is a fault of kindling itself: ${messageOf(error)}`;
  const report = verbose ? "please report it, with all of this" : "please report it, with the output of --verbose";
  const hint = known ? error.hint : report;
  const lines: ErrorLine[] = [{ label: "error", text: harmlessText(message, LONGEST_LINE) }];
  if (hint !== undefined) lines.push({ label: "hint", text: harmlessText(hint, LONGEST_LINE) });
  if (!verbose || !(error instanceof Error)) return lines;
  // Where in the program it came from helps where it is the program's fault, and is noise where it is the user's input's.
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

/** The message in one line, then the lines of the program. */
function stackOf({ name, message, stack = "" }: Error): string {
  const calls = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  return [`${name}: ${harmlessText(message)}`, ...calls.map((line) => `    ${harmlessText(line.trim())}`)].join("\n");
}
