import { isJsonObject } from "@kindling/spark-application/read";
import type { ServerActivity } from "../connect-states/server-activity.ts";

/** What an application, a job or a query looks like in the REST API of Spark's UI, as far as it is read. */
interface Work {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly submissionTime?: unknown;
  /** Only jobs have it. */
  readonly completionTime?: unknown;
  /** Milliseconds; only queries have it. */
  readonly duration?: unknown;
}

/** The id of the application in the answer to `/api/v1/applications`: a driver has one. */
export function applicationIdIn(applications: unknown): string | undefined {
  const [first] = objectsIn(applications) ?? [];
  return typeof first?.id === "string" && first.id !== "" ? first.id : undefined;
}

/**
 * What jobs and queries say about a server's work (Spark 3.5 to 4.3, status/api/v1/api.scala and sql/api.scala). An answer
 * that cannot be read is no answer.
 *
 * @param jobs the answer to `/jobs`
 * @param queries the answer to `/sql`
 */
export function readActivity(jobs: unknown, queries: unknown): ServerActivity {
  const work = [objectsIn(jobs), objectsIn(queries)];
  const all = work.flatMap((list) => list ?? []);
  if (work.includes(undefined) || !all.every(({ status }) => typeof status === "string"))
    return { kind: "unknown", why: "Spark's UI gave an answer that is no list of jobs and queries" };
  if (all.some(({ status }) => status === "RUNNING")) return { kind: "busy" };
  const ends = all.map(endOf);
  // Something ended at a time that cannot be read.
  if (ends.includes(undefined)) return { kind: "unknown", why: "Spark's UI gave a time that cannot be read" };
  const known = ends.filter((end) => end !== undefined);
  return { kind: "quiet", sinceMs: known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b)) };
}

function endOf({ completionTime, submissionTime, duration }: Work): number | undefined {
  const ended = timeOf(completionTime);
  if (ended !== undefined) return ended;
  const begun = timeOf(submissionTime);
  if (begun === undefined) return undefined;
  return typeof duration === "number" && duration > 0 ? begun + duration : begun;
}

/** Times are like `2026-01-31T12:00:00.000GMT` (status/api/v1/JacksonMessageWriter.scala). */
function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value.replace(/GMT$/, "Z"));
  return Number.isNaN(time) ? undefined : time;
}

function objectsIn(value: unknown): readonly Work[] | undefined {
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined;
}
