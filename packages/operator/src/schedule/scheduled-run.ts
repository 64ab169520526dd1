import type { OwnerReference } from "@kindling/core-spec";
import {
  type ApplicationState,
  OPERATOR_LABELS,
  type ScheduledSparkApplication,
  type SparkApplicationSpec,
} from "@kindling/spark-application";

/** A SparkApplication that a schedule has made: it carries the schedule's label, and its owner is the schedule. */
export interface ScheduledRun {
  readonly name: string;
  /** RFC 3339. */
  readonly creationTimestamp: string;
  readonly state: ApplicationState;
}

/** A SparkApplication to be made, in the namespace of its schedule. */
export interface RunToStart {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerReference: OwnerReference;
  readonly spec: SparkApplicationSpec;
  /** The name of a run that is deleted first. */
  readonly replaces: string | undefined;
}

/**
 * A run as stock makes it (kubeflow/spark-operator v2.5.2, internal/controller/scheduledsparkapplication/controller.go,
 * `createSparkApplication`), but named after its planned time, not the current time: after a crash the second attempt
 * finds the run that the first one made. No label of the schedule can replace the label that names the schedule.
 */
export function runToStart(
  { apiVersion, kind, metadata, spec }: ScheduledSparkApplication,
  { name, replaces }: { readonly name: string; readonly replaces: string | undefined },
): RunToStart {
  return {
    name,
    labels: { ...metadata.labels, [OPERATOR_LABELS.scheduledAppName]: metadata.name },
    ownerReference: { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true },
    spec: spec.template,
    replaces,
  };
}

/** The unit of the number at the end of a run's name: its planned time since the epoch. */
export type TimestampPrecision = "nanos" | "micros" | "millis" | "seconds" | "minutes";

/** @param plannedMs a whole second, in milliseconds since the epoch */
export function runName(scheduleName: string, plannedMs: number, precision: TimestampPrecision): string {
  return `${scheduleName}-${timestamp(plannedMs, precision)}`;
}

function timestamp(ms: number, precision: TimestampPrecision): string {
  switch (precision) {
    case "nanos":
      return `${ms}000000`;
    case "micros":
      return `${ms}000`;
    case "millis":
      return `${ms}`;
    case "seconds":
      return `${Math.floor(ms / 1_000)}`;
    case "minutes":
      return `${Math.floor(ms / 60_000)}`;
  }
}

/** In any other state a run may still go on. */
export function hasEnded({ state }: ScheduledRun): boolean {
  return state === "COMPLETED" || state === "FAILED";
}

/** Of two that were made in the same second, the one that was planned later is the newer one. */
export function newestFirst(runs: readonly ScheduledRun[]): readonly ScheduledRun[] {
  return runs.toSorted((one, other) => compareByAge(other, one));
}

function compareByAge(one: ScheduledRun, other: ScheduledRun): number {
  const apart = Date.parse(one.creationTimestamp) - Date.parse(other.creationTimestamp);
  // The longer of two numbers is the larger one.
  return apart || one.name.length - other.name.length || (one.name < other.name ? -1 : 1);
}
