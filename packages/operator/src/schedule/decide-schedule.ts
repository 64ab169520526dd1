import { isDeepStrictEqual } from "node:util";
import { harmlessText } from "@kindling/core-spec";
import type { ScheduledSparkApplication, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import type { ApplicationEvent } from "../application-states/application-event.ts";
import { timeText } from "../application-states/status-changes.ts";
import { nextTime } from "./cron/next-time.ts";
import type { Schedule } from "./cron/parse-schedule.ts";
import { afterRun, plannedRun, type Progress } from "./planned-run.ts";
import { readSchedule, type ScheduleRules } from "./read-schedule.ts";
import { runHistory } from "./run-history.ts";
import { scheduleEvents, skippedEvent, startedEvent } from "./schedule-events.ts";
import { hasEnded, newestFirst, runName, runToStart, type RunToStart, type ScheduledRun } from "./scheduled-run.ts";

/** All that a decision about a schedule depends on. */
export interface ScheduleView {
  readonly scheduled: ScheduledSparkApplication;
  /** The SparkApplications that carry the schedule's label and are owned by it, by its uid. */
  readonly runs: readonly ScheduledRun[];
  /** Why the schedule must not be followed: faults from reading the object, and from `validateScheduled`. */
  readonly faults: readonly string[];
  readonly nowMs: number;
  readonly rules: ScheduleRules;
}

/**
 * In this order: the run is started, the status is written, the events are recorded, the outdated runs are deleted. If a
 * step fails, the rest is not done, and the next decision is the same.
 */
export interface ScheduleDecision {
  /** A run to make. If an application of this name with this schedule as owner exists, the run has been made already. */
  readonly start: RunToStart | undefined;
  /** The new status; the stored one if nothing has to be written. */
  readonly status: ScheduledSparkApplicationStatus;
  readonly events: readonly ApplicationEvent[];
  /** Names of runs. */
  readonly deleteRuns: readonly string[];
  /** When to check again even if nothing happens, in milliseconds since the epoch. This time may be in the past. */
  readonly lookAgainAtMs: number | undefined;
}

/**
 * What to do about a schedule: a total function of what is stored and seen. States, fields and policies are stock's
 * (kubeflow/spark-operator v2.5.2, internal/controller/scheduledsparkapplication/controller.go). It must be called
 * whenever the schedule or one of its runs changes. So it differs from stock: a run that Forbid delays begins as soon as
 * it may, histories are trimmed when a run ends, a changed schedule gets another next run, and a corrected fault is
 * forgotten.
 */
export function decideSchedule(view: ScheduleView): ScheduleDecision {
  const { scheduled, runs, nowMs, rules } = view;
  const { metadata, spec, status: stored } = scheduled;
  if (metadata.deletionTimestamp !== undefined || spec.suspend === true)
    return { start: undefined, status: stored, events: [], deleteRuns: [], lookAgainAtMs: undefined };
  const { names, outdated } = runHistory(spec, runs);
  const read = readSchedule(scheduled, rules, nowMs);
  const faults = [...view.faults, ...read.faults];
  const step = faults.length > 0 || read.schedule === undefined ? refused(faults) : followed(view, read.schedule);
  const wanted = withoutUnset({ ...stored, ...names, ...step.status });
  const status = isDeepStrictEqual(wanted, withoutUnset(stored)) ? stored : wanted;
  return {
    start: step.start,
    status,
    events: [...scheduleEvents(scheduled, status), ...step.events],
    deleteRuns: outdated,
    lookAgainAtMs: step.lookAgainAtMs,
  };
}

interface Step {
  readonly start?: RunToStart;
  readonly status: ScheduledSparkApplicationStatus;
  readonly events: readonly ApplicationEvent[];
  readonly lookAgainAtMs: number | undefined;
}

function refused(faults: readonly string[]): Step {
  const reason = harmlessText(faults.join("; "));
  return { status: { scheduleState: "FailedValidation", reason }, events: [], lookAgainAtMs: undefined };
}

function followed(view: ScheduleView, schedule: Schedule): Step {
  const { scheduled, nowMs, rules } = view;
  const { metadata, status } = scheduled;
  const recorded = {
    lastRunMs: timeOf(status.lastRun),
    lastRunName: status.lastRunName,
    // A run that was planned before a fault is not made up for.
    nextRunMs: status.scheduleState === "FailedValidation" ? undefined : timeOf(status.nextRun),
    createdMs: timeOf(metadata.creationTimestamp) ?? 0,
  };
  const planned = plannedRun(schedule, recorded, nowMs);
  const due = dueRun(planned, view);
  if (due === undefined) return scheduledStep(planned, view, []);
  const { name, plannedMs, made } = due;
  if (made !== undefined) {
    // With a coarse precision several times have the same name: only the first of them has a run.
    if (name === planned.lastRunName) return scheduledStep(leftOut(planned, schedule, plannedMs), view, []);
    // The run has begun but is not recorded. This comes before anything else, because the next run may replace it.
    const begunMs = Math.max(plannedMs, timeOf(made.creationTimestamp) ?? plannedMs);
    return scheduledStep(afterRun(schedule, name, begunMs), view, [startedEvent(name, plannedMs, undefined)]);
  }
  const { blocking, replaces } = underPolicy(view);
  if (blocking === undefined) {
    const events = [startedEvent(name, plannedMs, replaces)];
    const start = runToStart(scheduled, { name, replaces });
    return { ...scheduledStep(afterRun(schedule, name, nowMs), view, events), start };
  }
  return rules.stockTiming
    ? scheduledStep(leftOut(planned, schedule, nowMs), view, [skippedEvent(plannedMs, blocking)])
    : { ...scheduledStep(planned, view, []), lookAgainAtMs: undefined };
}

function leftOut(planned: Progress, schedule: Schedule, untilMs: number): Progress {
  return { ...planned, nextRunMs: nextTime(schedule, untilMs) };
}

interface DueRun {
  readonly name: string;
  readonly plannedMs: number;
  /** The run of this name, if it is there already. */
  readonly made: ScheduledRun | undefined;
}

function dueRun({ nextRunMs }: Progress, { scheduled, runs, nowMs, rules }: ScheduleView): DueRun | undefined {
  if (nextRunMs === undefined || nextRunMs > nowMs) return undefined;
  const name = runName(scheduled.metadata.name, nextRunMs, rules.precision);
  return { name, plannedMs: nextRunMs, made: runs.find((run) => run.name === name) };
}

/**
 * The run that blocks a new run, and the run that is deleted for it. Forbid waits for every run, in stock only for the
 * newest one: an older one may still run after a change of the policy, or of its own spec. Replace deletes the newest
 * one, as in stock, even if others still run.
 */
function underPolicy({ scheduled, runs }: ScheduleView): { readonly blocking?: string; readonly replaces?: string } {
  const { concurrencyPolicy } = scheduled.spec;
  const newest = newestFirst(runs);
  const [last] = newest;
  if (concurrencyPolicy === "Replace") return last === undefined || hasEnded(last) ? {} : { replaces: last.name };
  const blocking = concurrencyPolicy === "Forbid" ? newest.find((run) => !hasEnded(run)) : undefined;
  return blocking === undefined ? {} : { blocking: blocking.name };
}

const NO_TIME = "the schedule has no time in the next five years";
/** When to search again: a time may then be within five years. */
const NO_TIME_LOOK_MS = 24 * 60 * 60 * 1000;

function scheduledStep(
  { lastRunMs, lastRunName, nextRunMs }: Progress,
  { nowMs }: ScheduleView,
  events: readonly ApplicationEvent[],
): Step {
  return {
    status: {
      lastRun: lastRunMs === undefined ? null : timeText(lastRunMs),
      nextRun: nextRunMs === undefined ? null : timeText(nextRunMs),
      lastRunName: lastRunName ?? "",
      scheduleState: "Scheduled",
      reason: nextRunMs === undefined ? NO_TIME : "",
    },
    events,
    lookAgainAtMs: nextRunMs ?? nowMs + NO_TIME_LOOK_MS,
  };
}

/** Undefined also for a text that is no time. */
function timeOf(text: string | null | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** Stock leaves out empty texts and lists, and writes times that are not set as null. */
function withoutUnset(status: ScheduledSparkApplicationStatus): ScheduledSparkApplicationStatus {
  const isSet = (value: unknown): boolean =>
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(status).filter(([, value]) => isSet(value)));
}
