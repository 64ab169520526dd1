import { harmlessText } from "@kindling/core-spec";
import type { Stage, StageState } from "@kindling/recorder-client";

type Fields = Readonly<Record<string, unknown>>;

/** How lines of an event log about stages begin (org.apache.spark.util.JsonProtocol writes the event's name first). */
export const STAGE_EVENTS: readonly Buffer[] = ["SparkListenerStageSubmitted", "SparkListenerStageCompleted"].map(
  (name) => Buffer.from(`{"Event":"${name}"`),
);

/**
 * The stage of an event: when it begins, and when it has ended, with what its tasks took
 * (org.apache.spark.util.JsonProtocol `stageInfoToJson`, org.apache.spark.InternalAccumulator; Spark 3.5 and 4.x).
 *
 * @param line a line of an event log
 * @returns `undefined` if it is about something else
 */
export function stageOfEvent(line: string): Stage | undefined {
  const info = infoOf(line);
  if (info === undefined) return undefined;
  const [id, name] = [countOf(info["Stage ID"]), info["Stage Name"]];
  if (id === undefined || typeof name !== "string") return undefined;
  const [started, ended, failure] = [
    countOf(info["Submission Time"]),
    countOf(info["Completion Time"]),
    info["Failure Reason"],
  ];
  const state: StageState = typeof failure === "string" ? "failed" : ended === undefined ? "running" : "succeeded";
  const sums = sumsOf(info["Accumulables"]);
  const sum = (metric: string): number => sums.get(`internal.metrics.${metric}`) ?? 0;
  return {
    ...{ id, state, name: harmlessText(name, LONGEST_TEXT), attempt: countOf(info["Stage Attempt ID"]) ?? 0 },
    tasks: countOf(info["Number of Tasks"]) ?? 0,
    executorTime: sum("executorRunTime"),
    gcTime: sum("jvmGCTime"),
    inputBytes: sum("input.bytesRead"),
    outputBytes: sum("output.bytesWritten"),
    shuffleReadBytes: sum("shuffle.read.localBytesRead") + sum("shuffle.read.remoteBytesRead"),
    shuffleWriteBytes: sum("shuffle.write.bytesWritten"),
    spilledBytes: sum("diskBytesSpilled"),
    ...(started !== undefined && { started }),
    ...(ended !== undefined && { ended }),
    ...(typeof failure === "string" && { failure: harmlessText(firstLine(failure), LONGEST_TEXT) }),
  };
}

const LONGEST_TEXT = 500;

function infoOf(line: string): Fields | undefined {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    return undefined;
  }
  const info: unknown = isFields(event) ? event["Stage Info"] : undefined;
  return isFields(info) ? info : undefined;
}

/** The values of accumulators by their names. Those of an application's own may be anything. */
function sumsOf(accumulables: unknown): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const one of Array.isArray(accumulables) ? (accumulables as readonly unknown[]) : []) {
    if (!isFields(one)) continue;
    const { Name: name, Value: value } = one;
    const sum = countOf(value);
    if (typeof name === "string" && sum !== undefined) sums.set(name, sum);
  }
  return sums;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
