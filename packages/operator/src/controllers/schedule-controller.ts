import { messageOf } from "@kindling/core-spec";
import {
  createWorkQueue,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isObjectNotFound,
  perKeyBackoff,
  type KubeClient,
} from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { customResources, type WithStatus } from "../act/custom-resources.ts";
import { createEventRecorder } from "../act/record-events.ts";
import { readScheduledSparkApplication, readSparkApplication } from "../api/v1beta2/read.ts";
import { API_VERSION } from "../api/v1beta2/spark-application.ts";
import type { ScheduledSparkApplication } from "../api/v1beta2/scheduled-spark-application.ts";
import { validateScheduled } from "../api/v1beta2/validate.ts";
import type { OperatorMetrics } from "../metrics/operator-metrics.ts";
import { decideSchedule, type ScheduleDecision } from "../schedule/decide-schedule.ts";
import type { ScheduleRules } from "../schedule/read-schedule.ts";
import type { RunToStart, ScheduledRun } from "../schedule/scheduled-run.ts";
import { objectRecord, scheduleKeyOf, type ObjectRecord } from "../watch/application-record.ts";
import { recordKey, type RecordStore } from "../watch/record-store.ts";

export interface ScheduleControllerOptions {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly schedules: RecordStore<ObjectRecord>;
  /** Grouped by the key of their schedule. */
  readonly applications: RecordStore<ObjectRecord>;
  readonly rules: ScheduleRules;
  readonly serves: (namespace: string) => boolean;
  readonly log: Log;
  readonly metrics: OperatorMetrics | undefined;
}

export interface ScheduleController {
  /** Something of a schedule, or of one of its runs, has changed. */
  changed(key: string): void;
  stop(): Promise<void>;
}

const WORKERS = 4;
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Starts the runs of all schedules that are served, until it is stopped. */
export function startScheduleController(options: ScheduleControllerOptions): ScheduleController {
  const { client, outside, schedules, applications, rules, serves, log, metrics } = options;
  const { clock, random } = outside;
  const queue = createWorkQueue<string>({ clock, rateLimiter: perKeyBackoff(5, 60_000) });
  const component = "scheduled-spark-application-controller";
  const events = createEventRecorder({ client, clock, random, log, component });

  async function look(key: string): Promise<void> {
    const record = schedules.get(key);
    if (record === undefined || !serves(record.namespace)) return;
    const { schedule, faults } = readScheduledSparkApplication(record.object);
    const decision = decideSchedule({
      scheduled: schedule,
      runs: runsOf(applications, schedule),
      faults: [...faults.filter((fault) => fault.startsWith("spec")), ...validateScheduled(schedule, {})],
      nowMs: clock.now(),
      rules,
    });
    await carryOut(record, schedule, decision);
    const { lookAgainAtMs } = decision;
    if (lookAgainAtMs === undefined) return;
    queue.addAfter(key, Math.min(Math.max(0, lookAgainAtMs - clock.now()), LONGEST_WAIT_MS));
  }

  async function carryOut(
    record: ObjectRecord,
    schedule: ScheduledSparkApplication,
    { start, status, events: told, deleteRuns }: ScheduleDecision,
  ): Promise<void> {
    const { namespace } = schedule.metadata;
    // A watch may be behind, or this process was away for a while: another may have started that run long ago.
    if (start !== undefined && (await refresh(record))?.resourceVersion !== record.resourceVersion) return;
    if (start?.replaces !== undefined) await remove(start.replaces, namespace);
    if (start !== undefined) await startRun(record, start, namespace);
    if (status !== schedule.status && !(await storeStatus(record, status, namespace))) return;
    events.record(schedule, told);
    for (const name of deleteRuns) await remove(name, namespace);
  }

  async function startRun(
    record: ObjectRecord,
    { name, labels, ownerReference }: RunToStart,
    namespace: string,
  ): Promise<void> {
    const object = {
      apiVersion: API_VERSION,
      kind: "SparkApplication",
      metadata: { name, namespace, labels, ownerReferences: [ownerReference] },
      // As it was written, with what this operator does not know of.
      spec: templateOf(record),
    };
    try {
      applications.put(objectRecord(await client.create(customResources.sparkApplications, object)));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const found = objectRecord(await client.get(customResources.sparkApplications, name, { namespace }));
      if (!isOwnedBy(found, ownerReference.uid)) throw error;
      applications.put(found);
    }
  }

  /** @returns whether it was written; if not, the schedule has changed or is gone, and is looked at anew */
  async function storeStatus(record: ObjectRecord, status: unknown, namespace: string): Promise<boolean> {
    const type = customResources.scheduledSparkApplications;
    const written: WithStatus = { ...record.object, status };
    try {
      schedules.put(objectRecord(await client.replace(type, written, { namespace, subresource: "status" })));
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
      const found = await refresh(record);
      if (found?.resourceVersion === record.resourceVersion) throw error;
      return false;
    }
  }

  /** @returns undefined if it is gone */
  async function refresh(record: ObjectRecord): Promise<ObjectRecord | undefined> {
    const { name, namespace } = record;
    const type = customResources.scheduledSparkApplications;
    try {
      const found = objectRecord(await client.get(type, name, { namespace }));
      schedules.put(found);
      return found;
    } catch (error) {
      // Anything on the way may say 404, and a schedule that is forgotten is not looked at any more.
      if (!isObjectNotFound(error, type, name)) throw error;
      schedules.drop(record);
      return undefined;
    }
  }

  async function remove(name: string, namespace: string): Promise<void> {
    try {
      await client.delete(customResources.sparkApplications, name, { namespace });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  const observer = metrics?.observeWork("scheduledsparkapplication", WORKERS);

  function add(key: string): void {
    observer?.added(key);
    queue.add(key);
  }

  async function work(): Promise<void> {
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      observer?.started(key);
      try {
        await look(key);
        queue.forget(key);
        observer?.ended(key, "success");
      } catch (error) {
        log.warn("a schedule could not be looked after", { schedule: key, error: messageOf(error) });
        observer?.ended(key, "error");
        observer?.retried(key);
        queue.addRateLimited(key);
      } finally {
        queue.done(key);
      }
    }
  }

  const running = Array.from({ length: WORKERS }, work);
  for (const record of schedules.all()) add(recordKey(record));
  return {
    changed: add,
    async stop() {
      queue.shutDown();
      await Promise.all(running);
      observer?.stopped();
      await events.flush();
    },
  };
}

/** The runs of a schedule: they carry its label, and it owns them. */
function runsOf(
  applications: RecordStore<ObjectRecord>,
  { metadata }: ScheduledSparkApplication,
): readonly ScheduledRun[] {
  return applications
    .inGroup(recordKey(metadata))
    .filter((record) => scheduleKeyOf(record) === recordKey(metadata) && isOwnedBy(record, metadata.uid))
    .map(({ name, object }) => {
      const { application } = readSparkApplication(object);
      const { creationTimestamp } = application.metadata;
      return { name, creationTimestamp, state: application.status.applicationState.state };
    });
}

function isOwnedBy({ object }: ObjectRecord, uid: string): boolean {
  return object.metadata?.ownerReferences?.some((owner) => owner.uid === uid) === true;
}

function templateOf({ object }: ObjectRecord): unknown {
  const { spec } = object as { readonly spec?: { readonly template?: unknown } };
  return spec?.template;
}
