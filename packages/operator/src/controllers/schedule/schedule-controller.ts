import { messageOf } from "@kindling/core-spec";
import {
  againAfter,
  createEventRecorder,
  done,
  keyOf,
  type ReconcileResult,
  type Term,
  watch,
} from "@kindling/controller";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { ScheduledSparkApplication } from "@kindling/spark-application";
import { readScheduledSparkApplication, readSparkApplication } from "@kindling/spark-application/read";
import { validateScheduled } from "../../validation/validate.ts";
import { type ObjectRecord, scheduleKeyOf } from "../../caches/object-record.ts";
import type { ApplicationCache, OperatorCaches } from "../../caches/operator-caches.ts";
import type { OperatorMetrics } from "../../metrics/operator-metrics.ts";
import { decideSchedule, type ScheduleDecision } from "../../schedule/decide-schedule.ts";
import type { ScheduleRules } from "../../schedule/read-schedule.ts";
import type { ScheduledRun } from "../../schedule/scheduled-run.ts";
import { keysIn } from "../../caches/served-namespaces.ts";
import type { OperatorAudit } from "../audit-operator.ts";
import { BACK_OFF } from "../back-off.ts";
import { isOwnedBy, refresh, remove, startRun, storeStatus, type ScheduleWriter } from "./schedule-writes.ts";

export interface SchedulesOptions {
  readonly outside: Outside;
  readonly caches: OperatorCaches;
  readonly rules: ScheduleRules;
  readonly log: Log;
  readonly audit: OperatorAudit;
  readonly metrics: OperatorMetrics | undefined;
}

interface Scheduler extends ScheduleWriter {
  readonly rules: ScheduleRules;
  readonly now: () => number;
  readonly audit: OperatorAudit;
}

const WORKERS = 4;

/** Starts the runs of all schedules that are served. */
export function runSchedules(term: Term, { outside, caches, rules, log, audit, metrics }: SchedulesOptions): void {
  const { client } = term;
  const { clock, random } = outside;
  const { schedules, applications, namespaces } = caches;
  const events = createEventRecorder({
    ...{ client, clock, random, log },
    component: "scheduled-spark-application-controller",
  });
  term.onEnd(() => events.flush());
  const scheduler: Scheduler = { client, schedules, applications, events, rules, audit, now: () => clock.now() };
  term.run(
    {
      name: "schedule",
      workers: WORKERS,
      watches: [
        watch(schedules, (record) => [keyOf(record)]),
        watch(applications, (record) => runOf(record)),
        namespaces.watch((namespace) => keysIn(schedules.values(), namespace)),
      ],
      async reconcile(key) {
        const record = schedules.get(key);
        return record === undefined || !namespaces.serves(record.namespace)
          ? done
          : await reconcileSchedule(scheduler, record);
      },
    },
    {
      backOff: BACK_OFF,
      observer: metrics?.observeWork("scheduledsparkapplication", WORKERS),
      onFault: (key, error) =>
        log.warn("a schedule could not be reconciled", { schedule: key, error: messageOf(error) }),
    },
  );
}

/** The key of the schedule that made an application. */
function runOf(application: ObjectRecord): readonly string[] {
  const key = scheduleKeyOf(application);
  return key === undefined ? [] : [key];
}

async function reconcileSchedule(scheduler: Scheduler, record: ObjectRecord): Promise<ReconcileResult> {
  const { applications, rules, now } = scheduler;
  const { schedule, faults } = readScheduledSparkApplication(record.object);
  const decision = decideSchedule({
    scheduled: schedule,
    runs: runsOf(applications, schedule),
    faults: [...faults.filter((fault) => fault.startsWith("spec")), ...validateScheduled(schedule, {})],
    nowMs: now(),
    rules,
  });
  await carryOut(scheduler, record, schedule, decision);
  const { lookAgainAtMs } = decision;
  return lookAgainAtMs === undefined ? done : againAfter(Math.max(0, lookAgainAtMs - now()));
}

async function carryOut(
  scheduler: Scheduler,
  record: ObjectRecord,
  schedule: ScheduledSparkApplication,
  { start, status, events, deleteRuns }: ScheduleDecision,
): Promise<void> {
  const { namespace, name: ofSchedule } = schedule.metadata;
  const { audit } = scheduler;
  // A watch may be behind, or this process was paused for a while: another replica may have started that run long ago.
  if (start !== undefined && (await refresh(scheduler, record))?.resourceVersion !== record.resourceVersion) return;
  if (start?.replaces !== undefined) {
    await remove(scheduler, start.replaces, namespace);
    audit.deleted(
      "sparkapplications",
      { namespace, name: start.replaces },
      `the next run of ${ofSchedule} replaces it`,
    );
  }
  if (start !== undefined) {
    await startRun(scheduler, record, start);
    audit.scheduled({ namespace, name: start.name }, ofSchedule);
  }
  if (status !== schedule.status && !(await storeStatus(scheduler, record, status))) return;
  scheduler.events.record(schedule, events);
  for (const name of deleteRuns) {
    await remove(scheduler, name, namespace);
    audit.deleted("sparkapplications", { namespace, name }, `${ofSchedule} keeps no more runs that have ended`);
  }
}

/** The runs of a schedule: they carry its label, and it owns them. */
function runsOf(applications: ApplicationCache, { metadata }: ScheduledSparkApplication): readonly ScheduledRun[] {
  return applications
    .byIndex("schedule", keyOf(metadata))
    .filter((record) => isOwnedBy(record, metadata.uid))
    .map(({ name, object }) => {
      const { application } = readSparkApplication(object);
      const { creationTimestamp } = application.metadata;
      return { name, creationTimestamp, state: application.status.applicationState.state };
    });
}
