import { isNotFound, type KubeClient } from "@kindling/kube";
import { customResources } from "../act/custom-resources.ts";
import { deleteRun } from "../act/delete-run.ts";
import { readSparkApplication } from "../api/v1beta2/read.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";
import type { ApplicationState, DriverInfo } from "../api/v1beta2/status.ts";
import type { PodRecord } from "../pods/pod-record.ts";
import { decide, type Action, type Decision, type View } from "../reconcile/decide.ts";
import type { ObjectRecord } from "../watch/application-record.ts";
import { viewOf, type Viewer } from "./application-view.ts";
import type { ExecutorWritePace } from "./executor-write-pace.ts";
import { refresh, storeStatus, type StatusStore } from "./store-status.ts";
import type { Surrounder } from "./surrounder.ts";

export interface Looker extends StatusStore {
  readonly client: KubeClient;
  readonly viewer: Viewer;
  readonly surrounder: Surrounder;
  readonly pace: ExecutorWritePace;
  /** Finds out why a driver failed. */
  readonly diagnose: (driver: PodRecord) => Promise<string | undefined>;
  /** Whether the operator makes budgets against the eviction of drivers. */
  readonly hasBudgets: boolean;
  readonly lookAgainAfter: (key: string, milliseconds: number) => void;
  /** Looks again after a wait that grows. */
  readonly retry: (key: string) => void;
  readonly now: () => number;
}

/**
 * Looks at an application and does what is to be done, but for a submission.
 *
 * @returns whether it is to be submitted
 */
export async function look(looker: Looker, key: string): Promise<"done" | "submit"> {
  const record = looker.stores.applications.get(key);
  if (record === undefined) return "done";
  const { application } = readSparkApplication(record.object);
  const driverInfo = surround(looker, application);
  const { status, events, action, lookAgainAtMs } = await decision(looker, application, driverInfo);
  if (action?.kind === "submit") return "submit";
  if (action !== undefined) {
    // A watch may be behind, or this process was away for a while: what is deleted by an old state might be a new run.
    const current = await refresh(looker.client, looker.stores, application);
    if (current?.resourceVersion !== record.resourceVersion) return "done";
    if (!(await carryOut(looker, record, application, action))) looker.retry(key);
  } else if (status !== application.status) {
    const { uid } = application.metadata;
    const waitMs = looker.pace.waitMs(uid, application.status, status);
    if (waitMs > 0) looker.lookAgainAfter(key, waitMs);
    else if (await storeStatus(looker, record, application, status, events)) looker.pace.written(uid);
    else looker.retry(key);
  }
  if (lookAgainAtMs !== undefined) looker.lookAgainAfter(key, Math.max(0, lookAgainAtMs - looker.now()));
  return "done";
}

/** Decides; where a run has failed, with what can be found out about it while its pod is there. */
async function decision(looker: Looker, application: SparkApplication, driverInfo: DriverInfo): Promise<Decision> {
  const view = await viewOf(looker.viewer, application, driverInfo);
  const decided = decide(view);
  const failed = newlyFailed(view, decided);
  return failed === undefined ? decided : decide({ ...view, diagnosis: await looker.diagnose(failed) });
}

/** The driver whose failure is about to be written down; those of earlier runs stand in the stored status. */
function newlyFailed({ stored, drivers }: View, { status }: Decision): PodRecord | undefined {
  const isFailure = status.attempts !== stored.status.attempts && status.attempts?.at(-1)?.outcome === "FAILED";
  return isFailure ? drivers.find(({ submissionId }) => submissionId === status.submissionID) : undefined;
}

const WITH_DRIVER: ReadonlySet<ApplicationState> = new Set(["SUBMITTED", "RUNNING"]);
const ENDED: ReadonlySet<ApplicationState> = new Set(["COMPLETED", "FAILED"]);

/** What stands around an application goes with its state. */
function surround({ surrounder }: Looker, application: SparkApplication): DriverInfo {
  const { state } = application.status.applicationState;
  if (ENDED.has(state)) surrounder.clean(application);
  return WITH_DRIVER.has(state) ? surrounder.ensure(application) : {};
}

/** @returns whether all of it was done */
async function carryOut(
  looker: Looker,
  record: ObjectRecord,
  application: SparkApplication,
  action: Exclude<Action, { kind: "submit" }>,
): Promise<boolean> {
  const { client, surrounder } = looker;
  const { name, namespace, uid, resourceVersion } = application.metadata;
  switch (action.kind) {
    case "clean-up":
      await deleteRun(client, application, action.pods, looker.hasBudgets);
      return true;
    case "delete-run":
      await deleteRun(client, application, action.pods, looker.hasBudgets);
      surrounder.forget(uid);
      if (action.afterwards === application.status) return true;
      return await storeStatus(looker, record, application, action.afterwards, action.events);
    case "delete-application":
      await client
        .delete(customResources.sparkApplications, name, { namespace, preconditions: { uid, resourceVersion } })
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      return true;
  }
}
