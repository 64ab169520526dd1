/** The end of a Python traceback: where, and which exception. */
export interface PythonTraceback {
  /** `File "/app/job.py", line 12, in main` */
  readonly thrownAt: string | undefined;
  /** `ValueError: no input`, and what follows of the message. */
  readonly exception: readonly string[];
}

const BEGIN = "Traceback (most recent call last):";
const MOST_MESSAGE_LINES = 3;
/** Between the file of a syntax error and its message: the line, and what points into it. */
const MOST_QUOTED_LINES = 4;

/** The last traceback of a log: of a worker, where Spark brings one to the driver inside an exception of its own. */
export function pythonTraceback(lines: readonly string[]): PythonTraceback | undefined {
  const begin = lines.findLastIndex((line) => line.endsWith(BEGIN));
  if (begin < 0) return syntaxError(lines);
  const end = lines.findIndex((line, index) => index > begin && line !== "" && !/^\s/.test(line));
  if (end < 0) return undefined;
  const thrownAt = lines.slice(begin, end).findLast((line) => line.startsWith('  File "'));
  return { thrownAt: thrownAt?.trim(), exception: message(lines, end) };
}

/** A program that Python cannot read has no traceback, because nothing was called. */
function syntaxError(lines: readonly string[]): PythonTraceback | undefined {
  const end = lines.findLastIndex((line) => /^(?:Syntax|Indentation|Tab)Error: /.test(line));
  if (end < 0) return undefined;
  const thrownAt = lines
    .slice(Math.max(0, end - MOST_QUOTED_LINES), end)
    .findLast((line) => line.startsWith('  File "'));
  return { thrownAt: thrownAt?.trim(), exception: lines.slice(end, end + 1) };
}

/** Py4J puts what the JVM says behind an exception that says nothing of its own, with its stack. */
function message(lines: readonly string[], at: number): string[] {
  const [first = "", next = "", ...rest] = lines.slice(at, at + 20);
  if (!next.startsWith(": ")) return [first];
  const stack = rest.findIndex((line) => /^\s+at /.test(line));
  return [next.slice(2), ...rest.slice(0, Math.max(0, stack))].slice(0, MOST_MESSAGE_LINES);
}
