import { harmlessText } from "@kindling/core-spec";

/** Takes log lines, each a JSON document with its line end. */
export interface LogDestination {
  write(line: string): void;
}

// Characters that JSON does not escape, but that a terminal or an editor acts on: C1 controls, changes of direction, line
// ends of Unicode.
const HARMFUL = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same lines, with escapes for characters that would act on the reader's terminal; as JSON they mean the same. */
export function harmlessLines(destination: LogDestination): LogDestination {
  return { write: (line) => destination.write(line.replaceAll(HARMFUL, escapes)) };
}

/** JSON writes characters beyond the first 65,536 as two escapes (RFC 8259, 7). */
function escapes(character: string): string {
  return character
    .split("")
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

const MOST_FRAMES = 30;
const LONGEST_FRAME = 300;

/** An error as it is logged. It contains messages of other servers, so lengths are bounded. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly cause?: LoggedError;
}

/** @param depth how many causes may follow */
export function loggedError(error: unknown, depth: number = 5): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: harmlessText(String(error)), stack: "" };
  const { name, message, stack = "", cause } = error;
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: name,
    message: harmlessText(message),
    stack: frames
      .slice(0, MOST_FRAMES)
      .join("\n")
      .slice(0, MOST_FRAMES * LONGEST_FRAME),
    ...(cause !== undefined && depth > 0 && { cause: loggedError(cause, depth - 1) }),
  };
}
