import { harmlessText } from "@kindling/core-spec";
import { isOfTheEnd, isSymptom, javaException, type JavaException } from "./java-exception.ts";
import { logRecord } from "./log-record.ts";
import { pythonTraceback, type PythonTraceback } from "./python-traceback.ts";
import { rError } from "./r-error.ts";

/** What a log says about the end of its program. */
export interface LogExcerpt {
  /** In one line. */
  readonly summary: string;
  /** The lines that show it. */
  readonly lines: readonly string[];
  /** The exceptions' own lines, from the innermost cause to the outermost: advice is chosen by them. */
  readonly words: readonly string[];
  /** It describes only a consequence of the end, not its reason. */
  readonly isSymptom: boolean;
  /** Whether it happened in a task, on an executor, according to the driver. */
  readonly isOfTask: boolean;
}

const MOST_LINE_BYTES = 500;
const MOST_CAUSES = 6;
/** What Python writes when the JVM under it has ended, or has not answered. */
const JVM_IS_GONE =
  /^(?:py4j\.protocol\.Py4J(?:Network)?Error: |ConnectionRefusedError: |ConnectionResetError: |EOFError|RuntimeError: Java gateway process exited|pyspark\.errors\.exceptions\.base\.PySparkRuntimeError: \[JAVA_GATEWAY_EXITED\])/;
/** Exceptions that only wrap another one. */
const OF_A_WRAPPER = /^(?:java\.util\.concurrent\.ExecutionException|java\.lang\.reflect\.InvocationTargetException)\b/;
const OF_TASK = /\(TID \d+\) \(\S+ executor (?!driver\))\S+\): |\(TID \d+, [^)]*executor (?!driver\))\d+\): /;

/**
 * The exception and its causes, the last traceback, or the error of R: what a person would look for first. The program's own
 * error has priority over the JVM's around it.
 */
export function logExcerpt(lines: readonly string[]): LogExcerpt | undefined {
  const java = javaException(lines);
  const python = pythonTraceback(lines);
  if (python !== undefined && isPythons(python, java)) return ofPython(python);
  const error = rError(lines);
  if (error !== undefined)
    return excerpt(error[0]?.endsWith(": ") === true ? error.slice(0, 2).join("") : error[0], error, error);
  if (java === undefined || /SparkUserAppException/.test(java.head[0] ?? "")) return undefined;
  // A warning, and then an error without a stack: the error is nearer to the end.
  if (java.isMinor && lastErrorAt(lines) > java.at) return undefined;
  return ofJava(java);
}

function isPythons({ exception, java: own, at }: PythonTraceback, java: JavaException | undefined): boolean {
  if (java === undefined || own?.at === java.at) return true;
  if (
    own === undefined &&
    JVM_IS_GONE.test(exception[0] ?? "") &&
    !/Py4JError|Py4JNetworkError/.test(java.head[0] ?? "")
  )
    return false;
  return java.at < at || !(java.head[0]?.startsWith('Exception in thread "main"') ?? false) || isOfUserApp(java);
}

function isOfUserApp({ head }: JavaException): boolean {
  return /SparkUserAppException/.test(head[0] ?? "");
}

function ofPython({ exception, java, thrownAt, raisedBy }: PythonTraceback): LogExcerpt {
  const where = thrownAt === undefined ? [] : [thrownAt];
  if (java === undefined) return excerpt(exception[0], [...exception, ...where], [...exception, ...raisedBy]);
  const causes = java.causes.slice(-MOST_CAUSES);
  return excerpt(innermost(java), [...exception, ...causes, ...where], wordsOf(java));
}

function ofJava(java: JavaException): LogExcerpt {
  const { head, causes, thrownAt } = java;
  // The innermost causes are the most useful.
  const shown = [...head, ...causes.slice(-MOST_CAUSES), ...(thrownAt === undefined ? [] : [thrownAt])];
  return excerpt(innermost(java), shown, wordsOf(java));
}

function wordsOf({ head, causes }: JavaException): string[] {
  return [...causes.toReversed().map(bare), head.map(bare).join("\n")];
}

/** The cause behind all the others. For a task's exception, the driver's message about the whole job contains it. */
function innermost({ head, causes }: JavaException): string {
  const own = [...head.slice(0, 1), ...causes].map(bare).filter((cause) => !OF_A_WRAPPER.test(cause));
  const inner = own.at(-1);
  // Hadoop's file systems repeat the message together with the path.
  const withPath = own.findLast((cause) => OF_FILE_SYSTEM.test(cause) && cause.includes(messageOf(inner ?? "")));
  if (withPath !== undefined) return withPath;
  return causes.length > 0 && inner !== undefined ? inner : (ofTask(head) ?? bare(head[0] ?? ""));
}

/** `… (TID 3) (10.0.0.7 executor 1): java.lang.Exception: …`: the exception of the task. */
function ofTask(head: readonly string[]): string | undefined {
  const [, thrown] =
    /most recent failure: .*\(TID [^)]*\)(?: \([^)]*\))?: ((?:[\w$]+\.)+[\w$]+(?:: .*)?)$/.exec(head[0] ?? "") ?? [];
  return thrown === undefined || OF_LOST.test(thrown) ? undefined : thrown;
}

function messageOf(exception: string): string {
  return exception.replace(/^[\w.$]+: /, "").slice(0, 40);
}

const OF_FILE_SYSTEM =
  /^(?:[\w$]+\.)+(?:AccessDenied|FileNotFound|NoSuchFile|UnknownHost|FileSystem|AWS\w+|AbfsRest\w+)Exception: \S/;
const OF_LOST = /^ExecutorLostFailure/;

function bare(line: string): string {
  return line.replace(/^Caused by: /, "").replace(/^Exception in thread "[^"]*" /, "");
}

function excerpt(summary: string | undefined, lines: readonly string[], words: readonly string[]): LogExcerpt {
  const shown = (line: string): string => harmlessText(line, MOST_LINE_BYTES);
  return {
    summary: shown(bare(summary ?? "")),
    lines: lines.map(shown),
    words,
    isSymptom: words.some((line) => isSymptom(line) || JVM_IS_GONE.test(line)),
    isOfTask: words.some((line) => OF_TASK.test(line)),
  };
}

/** The last line about a problem if nothing has a stack: a logger's error, or a line of a shell or a program. */
export function lastError(lines: readonly string[]): string | undefined {
  const at = lastErrorAt(lines);
  if (at >= 0) return harmlessText(logRecord(lines[at] ?? "")?.text ?? "", MOST_LINE_BYTES);
  const bareLines = lines
    .filter((line) => logRecord(line) === undefined && !/^\s|^\+|SparkUserAppException/.test(line))
    .slice(-MOST_LAST_LINES);
  const telling = bareLines.findLast((line) => TELLING.test(line));
  return telling === undefined ? undefined : harmlessText(telling, MOST_LINE_BYTES);
}

function lastErrorAt(lines: readonly string[]): number {
  return lines.findLastIndex((line) => {
    const record = logRecord(line);
    return record?.level === "ERROR" && record.text !== "" && !isOfTheEnd(record.text);
  });
}

const MOST_LAST_LINES = 30;
const TELLING =
  /error|fatal|exception|denied|not found|cannot|can't|could not|unable to|failed|no such|invalid|unknown|panic|abort/i;
