import { logExcerpt } from "../log/log-excerpt.ts";
import type { MemoryKind } from "../log/out-of-memory.ts";
import { readableLog } from "../log/readable-log.ts";
import { fullMemoryIn } from "./full-memory.ts";

/** Which memory was too small when a driver ended: its own, or that of an executor whose tasks failed again and again. */
export interface MemoryAtEnd {
  readonly of: "driver" | "executor";
  /** `python`: outside of Java, in a process that Java has started or was started by. */
  readonly kind: MemoryKind | "python";
}

/** Spark's own accounting found no memory for a task; its executor goes on (TaskMemoryManager). */
const NO_MEMORY_FOR_TASK = /SparkOutOfMemoryError/;
/** The driver caught the end of its memory, and says so in other words (BroadcastExchangeExec, `notEnoughMemoryToBuildAndBroadcastTableError`). */
const NO_MEMORY_FOR_TABLE = /Not enough memory to build and broadcast the table/;
/** A worker that did not say why it ended: the kernel has killed it, or it has crashed (BasePythonRunner). */
const WORKER_GONE = /Python worker exited unexpectedly/;
/** A program that a task has piped its rows to, ended by SIGKILL (rdd.py, `RDD.pipe` with `checkCode`; PipedRDD.scala). */
const PIPE_KILLED = /Pipe function .* exited with error code (?:-9|137)\b|Subprocess exited with status 137\b/;
const PROGRAM_KILLED = /SparkUserAppException: User application exited with (?:137|-9)\b/;

/**
 * Which memory was too small when a driver failed, by the end of its log; `undefined` if the log says nothing about memory.
 *
 * @param log the last lines of the driver's log
 */
export function memoryAtEnd(log: readonly string[]): MemoryAtEnd | undefined {
  const { log: lines = [] } = readableLog({ log, logTimes: undefined });
  const excerpt = logExcerpt(lines);
  const java = fullMemoryIn(excerpt, lines);
  if (java !== undefined) return { of: java.of, kind: java.kind };
  const words = excerpt?.words ?? [];
  const of = excerpt?.isOfTask === true ? "executor" : "driver";
  if (words.some((line) => NO_MEMORY_FOR_TASK.test(line))) return { of, kind: "heap" };
  if (words.some((line) => NO_MEMORY_FOR_TABLE.test(line))) return { of: "driver", kind: "heap" };
  if (words.some((line) => /^(?:[\w.]*\.)?_?\w*MemoryError\b/.test(line))) return { of, kind: "python" };
  if (of === "executor" && words.some((line) => WORKER_GONE.test(line))) return { of, kind: "python" };
  if (words.some((line) => PIPE_KILLED.test(line))) return { of: "executor", kind: "python" };
  return lines.some((line) => PROGRAM_KILLED.test(line)) ? { of: "driver", kind: "python" } : undefined;
}
