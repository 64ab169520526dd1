import type { CommandLine } from "@kindling/command-line";
import type { ResourceType } from "@kindling/kube";
import { APPLICATION_STATES, customResources, SCHEDULE_STATES } from "@kindling/spark-application";
import { age } from "../../output/age.ts";
import { applicationPage, type PageOptions } from "./application-page.ts";
import { applicationView, isOver, isRefused, NEW, type ApplicationView } from "./application-view.ts";
import type { Operated, OperatedObject } from "./operated-object.ts";
import { schedulePage } from "./schedule-page.ts";
import { scheduleView, type ScheduleView } from "./schedule-view.ts";

/** What the commands need to know about a kind. */
export interface OperatedKind<V extends Operated> {
  readonly type: ResourceType<OperatedObject>;
  readonly states: readonly string[];
  readonly viewOf: (object: OperatedObject) => V;
  /** The head of the table after the namespace; kubectl's columns. */
  readonly head: readonly string[];
  readonly row: (view: V, now: number) => readonly string[];
  /** The text for people. */
  readonly page: (view: V, options: PageOptions) => string;
  /** The driver pod that shows more about the state, if there is more to show. */
  readonly explainedBy: (view: V) => string | undefined;
  /** Whether nothing will change any more. */
  readonly isLast: (view: V) => boolean;
  /** The flag between `kindling app COMMAND` and a name of this kind. */
  readonly flag: string;
}

export const APPLICATIONS: OperatedKind<ApplicationView> = {
  type: customResources.sparkApplications,
  states: APPLICATION_STATES,
  viewOf: applicationView,
  head: ["NAME", "STATE", "ATTEMPTS", "START", "FINISH", "AGE"],
  row: ({ name, state, executionAttempts, started = "", finished = "", created }, now) => [
    name,
    state || NEW,
    executionAttempts === 0 ? "" : String(executionAttempts),
    started,
    finished,
    age(created, now),
  ],
  page: applicationPage,
  // If the driver could not be created, a pod with its name belongs to something else.
  explainedBy: (view) => (view.state === "COMPLETED" || isRefused(view) ? undefined : view.driverPod),
  isLast: ({ state }) => isOver(state),
  flag: "",
};

export const SCHEDULES: OperatedKind<ScheduleView> = {
  type: customResources.scheduledSparkApplications,
  states: SCHEDULE_STATES,
  viewOf: scheduleView,
  head: ["NAME", "SCHEDULE", "TIME ZONE", "STATE", "LAST RUN", "LAST RUN NAME", "NEXT RUN", "AGE"],
  row: ({ name, schedule = "", timeZone = "", lastRun, lastRunName = "", nextRun = "", created, ...view }, now) => [
    name,
    schedule,
    timeZone,
    view.suspended ? "suspended" : view.state || NEW,
    age(lastRun, now),
    lastRunName,
    view.suspended ? "" : nextRun,
    age(created, now),
  ],
  page: schedulePage,
  explainedBy: () => undefined,
  isLast: () => false,
  flag: "--scheduled ",
};

/** Calls a function with the kind of the command line. */
export function forKind<T>(line: CommandLine, act: <V extends Operated>(kind: OperatedKind<V>) => T): T {
  return line.has("scheduled") ? act(SCHEDULES) : act(APPLICATIONS);
}
