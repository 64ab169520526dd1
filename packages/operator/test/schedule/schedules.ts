import type {
  ApplicationMeta,
  ScheduledSparkApplication,
  ScheduledSparkApplicationSpec,
  ScheduledSparkApplicationStatus,
  SparkApplicationSpec,
} from "@kindling/spark-application";
import { decideSchedule, type ScheduleDecision, type ScheduleView } from "../../src/schedule/decide-schedule.ts";
import { createTimeZones } from "../../src/schedule/cron/time-zones.ts";
import type { ScheduleRules } from "../../src/schedule/read-schedule.ts";
import type { ScheduledRun } from "../../src/schedule/scheduled-run.ts";

export const TEMPLATE: SparkApplicationSpec = {
  type: "Scala",
  sparkVersion: "4.0.4",
  mainApplicationFile: "local:///pi.jar",
  driver: {},
  executor: {},
};

export const RULES: ScheduleRules = { precision: "seconds", zones: createTimeZones("UTC"), stockTiming: false };

export interface Parts {
  readonly spec?: Partial<ScheduledSparkApplicationSpec>;
  readonly status?: ScheduledSparkApplicationStatus;
  readonly metadata?: Partial<ApplicationMeta>;
}

/** An hourly schedule, made on the first of February 2026. */
export function scheduled({ spec, status = {}, metadata }: Parts = {}): ScheduledSparkApplication {
  return {
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "ScheduledSparkApplication",
    metadata: {
      ...{ name: "pi", namespace: "jobs", uid: "uid-1", generation: 1, resourceVersion: "1" },
      creationTimestamp: "2026-02-01T00:00:00Z",
      labels: {},
      annotations: {},
      ...metadata,
    },
    spec: { schedule: "@hourly", template: TEMPLATE, ...spec },
    status,
  };
}

/** A view at ten past ten on that day by default. */
export function view(
  parts: Parts = {},
  {
    at = "10:10",
    rules = {},
    ...over
  }: Partial<Omit<ScheduleView, "rules">> & { at?: string; rules?: Partial<ScheduleRules> } = {},
): ScheduleView {
  return { scheduled: scheduled(parts), runs: [], faults: [], nowMs: ms(at), ...over, rules: { ...RULES, ...rules } };
}

/** A time on the first of February 2026, in UTC. */
export function time(clock: string): string {
  return `2026-02-01T${clock.padEnd(8, ":00")}Z`;
}

export function ms(clock: string): number {
  return Date.parse(time(clock));
}

/** The name of the run that was planned for this time. */
export function runAt(clock: string): string {
  return `pi-${ms(clock) / 1000}`;
}

/** The run that was planned and made at a time. */
export function run(clock: string, state: ScheduledRun["state"] = "RUNNING"): ScheduledRun {
  return { name: runAt(clock), creationTimestamp: time(clock), state };
}

/** The status that the operator wrote after the run at nine. */
export const DUE: ScheduledSparkApplicationStatus = {
  scheduleState: "Scheduled",
  lastRun: time("09:00"),
  lastRunName: runAt("09:00"),
  nextRun: time("10:00"),
};

export function due(spec: Parts["spec"] = {}, over: Parameters<typeof view>[1] = {}): ScheduleDecision {
  return decideSchedule(view({ spec, status: DUE }, over));
}

export const NOTHING: Omit<ScheduleDecision, "status"> = {
  start: undefined,
  events: [],
  deleteRuns: [],
  lookAgainAtMs: undefined,
};
