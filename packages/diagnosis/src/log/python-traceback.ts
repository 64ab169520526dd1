import { exceptionFrom, type JavaException } from "./java-exception.ts";
import { logRecord } from "./log-record.ts";

/** The end of a Python traceback: the place and the exception. */
export interface PythonTraceback {
  /** `File "/app/job.py", line 12, in main`: the last frame in the user's own files, if there is one. */
  readonly thrownAt: string | undefined;
  /** `ValueError: no input`, and the following lines of the message. */
  readonly exception: readonly string[];
  /** The JVM's exception, if Python had called the JVM. */
  readonly java: JavaException | undefined;
  /** The line of its exception. */
  readonly at: number;
  /** The JVM's lines around it, if it was raised in a Python worker: they name the executor. */
  readonly raisedBy: readonly string[];
}

const BEGIN = "Traceback (most recent call last):";
const MOST_MESSAGE_LINES = 3;
/** Between the file of a syntax error and its message: the source line, and a mark below it. */
const MOST_QUOTED_LINES = 4;
const EXCEPTION = /^(?!(?:WARN|WARNING|INFO|ERROR|DEBUG)\b)[A-Za-z_][\w.]*(?:: .*|:)?$/;
const MOST_FOREIGN_LINES = 10;
// Files of PySpark and Python, and installed packages.
const NOT_OF_USER =
  /[/\\](?:pyspark\.zip|pyspark|py4j|py4j-[\d.]+-src\.zip|site-packages|dist-packages|lib\/python\d[\d.]*|cloudpickle)[/\\]|"<frozen|"<string>"/;

/** The last traceback of a log. It may come from a worker: Spark puts it into an exception of its own in the driver. */
export function pythonTraceback(lines: readonly string[]): PythonTraceback | undefined {
  const begin = lines.findLastIndex((line) => line.endsWith(BEGIN));
  if (begin < 0) return syntaxError(lines);
  const end = exceptionAfter(lines, begin);
  if (end === undefined) return undefined;
  const { exception, java } = message(lines, end);
  const thrownAt = userFrame(lines, end) ?? lines.slice(begin, end).findLast(isFrame);
  return { thrownAt: thrownAt?.trim(), exception, java, at: end, raisedBy: raisedBy(lines[begin] ?? "") };
}

function exceptionAfter(lines: readonly string[], begin: number): number | undefined {
  let foreign = 0;
  for (let at = begin + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "" || /^\s/.test(line)) continue;
    // The JVM writes to the same log, between two lines of Python.
    if (logRecord(line) !== undefined) continue;
    if (EXCEPTION.test(line) && !/^\s+at /.test(lines[at + 1] ?? "")) return at;
    if (++foreign > MOST_FOREIGN_LINES) return undefined;
  }
  return undefined;
}

function isFrame(line: string): boolean {
  return line.startsWith('  File "');
}

/** Tracebacks before the last one belong to its callers, or to its cause. */
function userFrame(lines: readonly string[], end: number): string | undefined {
  return lines.slice(0, end).findLast((line) => isFrame(line) && !NOT_OF_USER.test(line));
}

function raisedBy(begin: string): string[] {
  return begin.includes("PythonException: ") ? [begin.replace(/ Traceback \(most.*$/, "")] : [];
}

/** If Python cannot parse a program, there is no traceback, because nothing was called. */
function syntaxError(lines: readonly string[]): PythonTraceback | undefined {
  const end = lines.findLastIndex((line) => /^(?:Syntax|Indentation|Tab)Error: /.test(line));
  if (end < 0) return undefined;
  const thrownAt = lines.slice(Math.max(0, end - MOST_QUOTED_LINES), end).findLast(isFrame);
  return {
    thrownAt: thrownAt?.trim(),
    exception: lines.slice(end, end + 1),
    ...{ java: undefined, at: end, raisedBy: [] },
  };
}

/** Py4J puts the JVM's message and stack after its own exception, which has no message. */
function message(lines: readonly string[], at: number): Pick<PythonTraceback, "exception" | "java"> {
  const next = lines.findIndex((line, index) => index > at && logRecord(line) === undefined);
  const [first = "", behind = ""] = [lines[at], lines[next]];
  if (!behind.startsWith(": ")) return { exception: [first], java: undefined };
  const bare = lines.with(next, behind.slice(2));
  const java = exceptionFrom(bare, next);
  return { exception: java?.head.slice(0, MOST_MESSAGE_LINES) ?? [behind.slice(2)], java };
}
