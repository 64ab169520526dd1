import { harmlessText } from "@kindling/core-spec";
import { javaException } from "./java-exception.ts";
import { pythonTraceback } from "./python-traceback.ts";
import { rError } from "./r-error.ts";

/** What a log says of the end of the program that wrote it. */
export interface LogExcerpt {
  /** In one line. */
  readonly summary: string;
  /** The lines that show it. */
  readonly lines: readonly string[];
}

const MOST_LINE_BYTES = 500;
const MOST_CAUSES = 6;
/** What is thrown when the user's program, in another process, has ended badly: it says nothing of why. */
const OF_ANOTHER_PROCESS = /SparkUserAppException/;

/**
 * The exception and its causes, the last traceback, or the error of R: what a person would look for first. The program's own
 * comes before the JVM's around it.
 */
export function logExcerpt(lines: readonly string[]): LogExcerpt | undefined {
  const java = javaException(lines);
  const python = pythonTraceback(lines);
  if (python !== undefined && (java === undefined || isAround(java.head, lines))) {
    const { exception, thrownAt } = python;
    return excerpt(exception[0], [...exception, ...(thrownAt === undefined ? [] : [thrownAt])]);
  }
  const error = rError(lines);
  if (error !== undefined) return excerpt(error[0], error);
  if (java === undefined || isAround(java.head, [])) return undefined;
  const { head, causes, thrownAt } = java;
  // The innermost causes tell most.
  const shown = [...head, ...causes.slice(-MOST_CAUSES), ...(thrownAt === undefined ? [] : [thrownAt])];
  return excerpt(causes.at(-1)?.replace("Caused by: ", "") ?? head[0], shown);
}

function isAround(head: readonly string[], lines: readonly string[]): boolean {
  if (OF_ANOTHER_PROCESS.test(head[0] ?? "")) return true;
  // A traceback of Py4J holds the exception of the JVM.
  const [first = ""] = head;
  return (
    lines.lastIndexOf("Traceback (most recent call last):") > lines.lastIndexOf(`Exception in thread "main" ${first}`)
  );
}

function excerpt(summary: string | undefined, lines: readonly string[]): LogExcerpt {
  const shown = (line: string): string => harmlessText(line, MOST_LINE_BYTES);
  return {
    summary: shown((summary ?? "").replace(/^Exception in thread "[^"]*" /, "")),
    lines: lines.map(shown),
  };
}
