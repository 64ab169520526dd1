import { againAfter, againLater, done, type ReconcileResult } from "@kindling/controller";
import { isNotFound, type KubeClient } from "@kindling/kube";
import {
  type ApplicationState,
  customResources,
  type DriverInfo,
  type SparkApplication,
} from "@kindling/spark-application";
import { readSparkApplication } from "@kindling/spark-application/read";
import type { ObjectRecord } from "../../caches/object-record.ts";
import type { PodRecord } from "../../pods/pod-record.ts";
import { decide, type Action, type Decision, type View } from "../../application-states/decide.ts";
import type { DriverObjects } from "../driver-objects/driver-objects-controller.ts";
import type { OperatorAudit } from "../audit-operator.ts";
import { viewOf, type Viewer } from "./application-view.ts";
import { deleteRun } from "./delete-run.ts";
import type { ExecutorWritePace } from "./executor-write-pace.ts";
import { refresh, storeStatus, type StatusStore } from "./store-status.ts";

export interface Reconciler extends StatusStore {
  readonly client: KubeClient;
  readonly viewer: Viewer;
  readonly driverObjects: DriverObjects;
  readonly pace: ExecutorWritePace;
  /** Hands an application over to be submitted. */
  readonly submit: (key: string) => void;
  /** Finds out why a driver failed. */
  readonly diagnose: (driver: PodRecord) => Promise<string | undefined>;
  /** Whether the operator makes PodDisruptionBudgets for drivers. */
  readonly hasBudgets: boolean;
  readonly now: () => number;
  readonly audit: OperatorAudit;
}

/** Checks an application and does everything that is due, except a submission. */
export async function reconcileApplication(reconciler: Reconciler, key: string): Promise<ReconcileResult> {
  const record = reconciler.applications.get(key);
  if (record === undefined) return done;
  const { application } = readSparkApplication(record.object);
  const driverInfo = besideDriver(reconciler, application);
  const decided = await decision(reconciler, application, driverInfo);
  const { action, lookAgainAtMs = Number.POSITIVE_INFINITY } = decided;
  if (action?.kind === "submit") {
    reconciler.submit(key);
    return done;
  }
  const written =
    action === undefined
      ? await writeDown(reconciler, record, application, decided)
      : await actOn(reconciler, record, application, action);
  if (written.kind !== "written") return written;
  const waitMs = Math.min(written.waitMs, lookAgainAtMs - reconciler.now());
  return Number.isFinite(waitMs) ? againAfter(Math.max(0, waitMs)) : done;
}

/** Nothing blocks the next check. It is due after `waitMs`; infinity means never. */
interface Written {
  readonly kind: "written";
  readonly waitMs: number;
}

const WRITTEN: Written = { kind: "written", waitMs: Number.POSITIVE_INFINITY };

async function actOn(
  reconciler: Reconciler,
  record: ObjectRecord,
  application: SparkApplication,
  action: Exclude<Action, { kind: "submit" }>,
): Promise<Written | ReconcileResult> {
  // A watch may be behind, or this process was paused for a while: with an old state it might delete a new run.
  const current = await refresh(reconciler.client, reconciler.applications, application);
  if (current?.resourceVersion !== record.resourceVersion) return done;
  return (await carryOut(reconciler, record, application, action)) ? WRITTEN : againLater;
}

async function writeDown(
  reconciler: Reconciler,
  record: ObjectRecord,
  application: SparkApplication,
  { status, events }: Decision,
): Promise<Written | ReconcileResult> {
  if (status === application.status) return WRITTEN;
  const { uid } = application.metadata;
  const waitMs = reconciler.pace.waitMs(uid, application.status, status);
  if (waitMs > 0) return { kind: "written", waitMs };
  if (!(await storeStatus(reconciler, record, application, status, events))) return againLater;
  reconciler.pace.written(uid);
  return WRITTEN;
}

/** Decides. If a run has failed, it first finds out why, while the pod still exists. */
async function decision(
  reconciler: Reconciler,
  application: SparkApplication,
  driverInfo: DriverInfo,
): Promise<Decision> {
  const view = await viewOf(reconciler.viewer, application, driverInfo);
  const decided = decide(view);
  const failed = newlyFailed(view, decided);
  return failed === undefined ? decided : decide({ ...view, diagnosis: await reconciler.diagnose(failed) });
}

/** The driver whose failure is about to be written. The failures of earlier runs are in the stored status already. */
function newlyFailed({ stored, drivers }: View, { status }: Decision): PodRecord | undefined {
  const isFailure = status.attempts !== stored.status.attempts && status.attempts?.at(-1)?.outcome === "FAILED";
  return isFailure ? drivers.find(({ submissionId }) => submissionId === status.submissionID) : undefined;
}

const WITH_DRIVER: ReadonlySet<ApplicationState> = new Set(["SUBMITTED", "RUNNING"]);
const ENDED: ReadonlySet<ApplicationState> = new Set(["COMPLETED", "FAILED"]);

/** Makes or deletes the driver's services, ingresses and budget, as the application's state requires. */
function besideDriver({ driverObjects }: Reconciler, application: SparkApplication): DriverInfo {
  const { state } = application.status.applicationState;
  if (ENDED.has(state)) driverObjects.clean(application);
  return WITH_DRIVER.has(state) ? driverObjects.ensure(application) : {};
}

const RUN_OVER = "the run's driver and the objects beside it are not needed any more";

/** @returns whether all of it was done */
async function carryOut(
  reconciler: Reconciler,
  record: ObjectRecord,
  application: SparkApplication,
  action: Exclude<Action, { kind: "submit" }>,
): Promise<boolean> {
  const { client, driverObjects, hasBudgets, audit } = reconciler;
  const { name, namespace, uid, resourceVersion } = application.metadata;
  switch (action.kind) {
    case "clean-up":
      await deleteRun(client, application, action.pods, hasBudgets);
      return true;
    case "delete-run":
      await deleteRun(client, application, action.pods, hasBudgets);
      audit.deleted("pods", application.metadata, RUN_OVER);
      driverObjects.forget(uid);
      if (action.afterwards === application.status) return true;
      return await storeStatus(reconciler, record, application, action.afterwards, action.events);
    case "delete-application":
      await client
        .delete(customResources.sparkApplications, name, { namespace, preconditions: { uid, resourceVersion } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      audit.deleted("sparkapplications", application.metadata, "its time to live is over");
      return true;
  }
}
