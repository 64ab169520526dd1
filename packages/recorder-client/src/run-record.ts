import type { Finding, PodEvent, Termination } from "@kindling/diagnosis";
import type { Run } from "./run.ts";

/** A log in the archive. */
export interface RecordedLog {
  /** `driver`, `executor-17`. */
  readonly name: string;
  /** Its uncompressed bytes. */
  readonly bytes: number;
  /** What is missing of it, in a sentence; missing if it is whole. */
  readonly gap?: string;
}

/** Everything that is kept of a run besides its logs and its executors. */
export interface RunRecord {
  readonly run: Run;
  /** Why it did not go well, as far as that is known. */
  readonly findings: readonly Finding[];
  /** How Spark's container in the driver ended; missing if nobody saw it. */
  readonly termination?: Termination;
  /** Kubernetes' events about the driver, and about executors with problems. */
  readonly events: readonly PodEvent[];
  /** The driver's properties, without secrets; missing if they could not be read. */
  readonly configuration?: Readonly<Record<string, string>>;
  readonly serviceAccount?: string;
  readonly image?: string;
  readonly node?: string;
  /** The driver's log, and those of the executors that came last. */
  readonly logs: readonly RecordedLog[];
  /** How many executors ended for which reason. */
  readonly executorEnds: Readonly<Record<string, number>>;
}

/** The format of `run.json`: a reader that does not know it leaves the file alone. */
export const RECORD_FORMAT = 1;

export function recordText(record: RunRecord): string {
  return `${JSON.stringify({ format: RECORD_FORMAT, ...record }, undefined, 2)}\n`;
}
