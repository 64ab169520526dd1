import { isDeepStrictEqual } from "node:util";
import { harmlessText } from "@kindling/core-spec";
import type { ScheduledSparkApplication, ScheduledSparkApplicationStatus } from "@kindling/spark-application";
import type { ApplicationEvent } from "../reconcile/application-event.ts";
import { timeText } from "../reconcile/status-changes.ts";
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
  /** Why it must not be followed, whatever its schedule is: of reading it, and of `validateScheduled`. */
  readonly faults: readonly string[];
  readonly nowMs: number;
  readonly rules: ScheduleRules;
}

/**
 * In this order: the run is started, the status is written, the events are told, the outdated runs are deleted. If a step
 * fails the rest is left, and the next decision comes to the same.
 */
export interface ScheduleDecision {
  /** A run to make. If there is one of its name with this schedule as owner, it has been made already. */
  readonly start: RunToStart | undefined;
  /** The stored one if nothing is to be written. */
  readonly status: ScheduledSparkApplicationStatus;
  readonly events: readonly ApplicationEvent[];
  /** Names of runs. */
  readonly deleteRuns: readonly string[];
  /** When to look again though nothing happens, in milliseconds since the epoch; it may have passed. */
  readonly lookAgainAtMs: number | undefined;
}

/**
 * What to do about a schedule: a total function of what is stored and seen. States, fields and policies are stock's
 * (kubeflow/spark-operator v2.5.2, internal/controller/scheduledsparkapplication/controller.go). It is to be asked whenever
 * the schedule or one of its runs changes, and so differs from stock: a run that Forbid holds back begins when it may,
 * histories are trimmed when a run ends, a changed schedule has another next run, and a fault that is mended is forgotten.
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
    // What was planned before a fault is not made up for.
    nextRunMs: status.scheduleState === "FailedValidation" ? undefined : timeOf(status.nextRun),
    createdMs: timeOf(metadata.creationTimestamp) ?? 0,
  };
  const planned = plannedRun(schedule, recorded, nowMs);
  const due = dueRun(planned, view);
  if (due === undefined) return scheduledStep(planned, view, []);
  const { name, plannedMs, made } = due;
  if (made !== undefined) {
    // A coarse precision names several times alike: the first one of them has the run.
    if (name === planned.lastRunName) return scheduledStep(leftOut(planned, schedule, plannedMs), view, []);
    // Begun, but not recorded. This comes before anything else: what is next due may replace it.
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
 * What stands in the way of a new run, and what has to go for it. Forbid waits for every run, stock for the newest one
 * only: an older one can be under way after a change of the policy, or of its own spec. Replace takes the newest one away,
 * as in stock, whatever else is under way.
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
/** A time may come within the five years. */
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

/** Undefined also for what is no time. */
function timeOf(text: string | null | undefined): number | undefined {
  const ms = Date.parse(text ?? "");
  return Number.isNaN(ms) ? undefined : ms;
}

/** Stock leaves empty texts and lists out, and writes times that are not set as null. */
function withoutUnset(status: ScheduledSparkApplicationStatus): ScheduledSparkApplicationStatus {
  const isSet = (value: unknown): boolean =>
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(status).filter(([, value]) => isSet(value)));
}
