import type { Role } from "../finding.ts";
import type { LogExcerpt } from "../log/log-excerpt.ts";
import { outOfMemory, type MemoryKind, type OutOfMemory } from "../log/out-of-memory.ts";
import { logRecord } from "../log/log-record.ts";
import { memoryAdvice } from "./memory-advice.ts";
import type { Said } from "./role.ts";

/**
 * Which kind of memory was full, and in which process: from the exception that ended the driver, else from a thread of the
 * driver.
 */
export function fullMemory(excerpt: LogExcerpt | undefined, lines: readonly string[]): Said | undefined {
  const found = fullMemoryIn(excerpt, lines);
  if (found === undefined) return ofPython(excerpt);
  const { of: role, executor, kind, line } = found;
  const where =
    role === "driver" ? "in the driver" : `in ${executor === undefined ? "an executor" : `executor ${executor}`}`;
  return {
    cause: kind === "heap" || kind === "gc" || kind === "array" ? "JavaHeapFull" : "JavaMemoryFull",
    word: "OutOfMemoryError",
    summary: `${WHAT[kind]} ${where} ${kind === "threads" ? "could not be had" : kind === "array" ? "was asked for" : "was full"} (${nameOf(line)})`,
    details: excerpt?.lines ?? [line],
    advice: adviceOf(kind, role),
  };
}

/** The same as a kind of Java's memory; `undefined` if none was full. */
export function fullMemoryIn(excerpt: LogExcerpt | undefined, lines: readonly string[]): OutOfMemory | undefined {
  return ofExcerpt(excerpt) ?? ((excerpt?.isSymptom ?? true) ? ofThread(lines) : undefined);
}

/** Python's memory is outside of Java's heap: it belongs to the driver's program, or to a worker beside an executor. */
function ofPython(excerpt: LogExcerpt | undefined): Said | undefined {
  const line = excerpt?.words.find((one) => /^(?:[\w.]*\.)?_?\w*MemoryError\b/.test(one));
  if (excerpt === undefined || line === undefined) return undefined;
  const id = excerpt.words.map((one) => executorOf(one)).find((one) => one !== undefined);
  const where = excerpt.isOfTask ? `of a Python worker of executor ${id ?? "?"}` : "of Python in the driver";
  return {
    cause: "PythonMemoryFull",
    word: "MemoryError",
    summary: `the memory ${where} was full (${line})`,
    details: excerpt.lines,
    advice: excerpt.isOfTask
      ? "raise spark.executor.memoryOverhead, or spark.executor.pyspark.memory where it is set; smaller batches need less (spark.sql.execution.arrow.maxRecordsPerBatch, more partitions)"
      : "raise spark.driver.memoryOverhead, in which Python's memory is, or bring less to the driver (toPandas, collect)",
  };
}

const WHAT: Readonly<Record<MemoryKind, string>> = {
  heap: "Java's heap",
  gc: "Java's heap",
  metaspace: "Java's metaspace, where classes are kept,",
  direct: "Java's direct memory, outside of the heap,",
  threads: "one more thread",
  array: "an array larger than Java has",
  native: "the container's memory outside of Java's heap",
};

function ofExcerpt(excerpt: LogExcerpt | undefined): OutOfMemory | undefined {
  const words = excerpt?.words ?? [];
  for (const line of words) {
    const found = outOfMemory(line);
    if (found === undefined) continue;
    if (!(excerpt?.isOfTask ?? false)) return { ...found, of: "driver" };
    const executor = found.executor ?? words.map((one) => executorOf(one)).find((id) => id !== undefined);
    return { ...found, of: "executor", executor };
  }
  return undefined;
}

function executorOf(line: string): string | undefined {
  return /\bexecutor (\d+)\)/.exec(line)?.[1];
}

/**
 * A thread of the driver that ran out of memory, or the JVM that ended itself for this reason (-XX:+ExitOnOutOfMemoryError).
 */
function ofThread(lines: readonly string[]): OutOfMemory | undefined {
  for (const line of lines.toReversed()) {
    const found = outOfMemory(line);
    if (found === undefined || found.executor !== undefined || logRecord(line)?.level === "WARN") continue;
    return { ...found, of: "driver" };
  }
  return undefined;
}

/** `java.lang.OutOfMemoryError: Java heap space`, without the text around it. */
function nameOf(line: string): string {
  const [name = "OutOfMemoryError"] =
    /(?:[\w$]+\.)*OutOf(?:Direct)?MemoryError(?:: .*)?|There is insufficient memory.*/.exec(line) ?? [];
  return name.length > 120 ? `${name.slice(0, 120)}…` : name;
}

function adviceOf(kind: MemoryKind, role: Role): string {
  const java = `spark.${role}.extraJavaOptions`;
  switch (kind) {
    case "heap":
    case "gc":
      return role === "driver"
        ? "collect and broadcast less in the driver, or raise spark.driver.memory"
        : "give each task more of the heap: raise spark.executor.memory, lower spark.executor.cores, or use more partitions (spark.sql.shuffle.partitions)";
    case "metaspace":
      return `raise -XX:MaxMetaspaceSize in ${java} if it is set there, and spark.${role}.memoryOverhead, of which it is a part`;
    case "direct":
      return `raise -XX:MaxDirectMemorySize in ${java} (as much as the heap where it is not set) and spark.${role}.memoryOverhead; less of it is used with fewer concurrent fetches (spark.reducer.maxReqsInFlight)`;
    case "threads":
      return `the pod or its node has no more processes: kubelet's podPidsLimit and the node's ulimit, or start fewer threads (spark.${role}.cores); settings of memory do not change it`;
    case "array":
      return "no setting of memory mends that: split what becomes one object of more than 2 GiB (a row, a collected or broadcast value), with more partitions or smaller batches";
    case "native":
      return memoryAdvice(role);
  }
}
