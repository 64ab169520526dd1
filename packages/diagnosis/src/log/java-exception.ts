/** A Java exception as a log has it: its own line, and those of its causes. */
export interface JavaException {
  /** `Exception in thread "main" java.lang.IllegalStateException: no input`, and what follows of the message. */
  readonly head: readonly string[];
  /** `Caused by: …`, from the outermost to the innermost; without causes of suppressed exceptions. */
  readonly causes: readonly string[];
  /** Where the innermost was thrown: `at com.example.Job.main(Job.java:12)`. */
  readonly thrownAt: string | undefined;
}

const HEAD =
  /^(?:Exception in thread "[^"]*" )?(?:[\w$]+\.)+[\w$]*(?:Exception|Error|Throwable|Failure|Interrupted)[\w$]*(?::.*)?$/;
const FRAME = /^\s+at (?:[\w.-]+\/\/?)?[\w$.<>]+\(.*\)$/;
const CAUSE = /^Caused by: /;
const REST = /^\s+(?:\.\.\. \d+ (?:more|common frames omitted)|Suppressed: )/;
// A message may go on for lines, but not for pages.
const MOST_HEAD_LINES = 3;
const MOST_MESSAGE_LINES = 40;

/**
 * The exception that ended a JVM, as far as its log tells: the last one that left the main thread, else the last one that
 * has a stack.
 */
export function javaException(lines: readonly string[]): JavaException | undefined {
  let found: JavaException | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (!HEAD.test(line)) continue;
    const exception = exceptionAt(lines, index);
    if (exception === undefined) continue;
    if (line.startsWith('Exception in thread "main"')) return exception;
    found ??= exception;
  }
  return found;
}

/** The exception whose head is at an index, if a stack follows. */
function exceptionAt(lines: readonly string[], index: number): JavaException | undefined {
  const first = firstFrame(lines, index + 1);
  if (first === undefined) return undefined;
  const causes: string[] = [];
  let thrownAt = lines[first];
  for (let at = first; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (CAUSE.test(line)) {
      const frame = firstFrame(lines, at + 1);
      if (frame === undefined) break;
      causes.push(line);
      thrownAt = lines[frame];
      at = frame;
    } else if (!FRAME.test(line) && !REST.test(line) && !/^\s/.test(line)) break;
  }
  return { head: lines.slice(index, Math.min(first, index + MOST_HEAD_LINES)), causes, thrownAt: thrownAt?.trim() };
}

function firstFrame(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < Math.min(lines.length, from + MOST_MESSAGE_LINES); at++) {
    const line = lines[at] ?? "";
    if (FRAME.test(line)) return at;
    if (HEAD.test(line) || CAUSE.test(line)) return undefined;
  }
  return undefined;
}
