import { type EventRecorder, keyOf } from "@kindling/controller";
import { isDeepStrictEqual } from "node:util";
import { isConflict, isNotFound, isObjectNotFound, type KubeClient } from "@kindling/kube";
import { customResources, type SparkApplication, type SparkApplicationStatus } from "@kindling/spark-application";
import { readSparkApplication } from "@kindling/spark-application/read";
import type { WithStatus } from "../with-status.ts";
import type { ApplicationEvent } from "../../application-states/application-event.ts";
import { withoutUnset } from "../../application-states/status-changes.ts";
import { objectRecord, type ObjectRecord } from "../../caches/object-record.ts";
import type { ApplicationCache } from "../../caches/operator-caches.ts";

export interface StatusStore {
  readonly client: KubeClient;
  readonly applications: ApplicationCache;
  readonly events: EventRecorder;
  /** Called for each status that was written. */
  readonly onWritten: (application: SparkApplication, status: SparkApplicationStatus) => void;
}

/**
 * Replaces the status that was read, and records the events. If the object has changed since or is gone, nothing is
 * written and the cache is updated.
 *
 * @returns whether it was written
 */
export async function storeStatus(
  { client, applications, events, onWritten }: StatusStore,
  { object }: ObjectRecord,
  application: SparkApplication,
  status: SparkApplicationStatus,
  told: readonly ApplicationEvent[],
): Promise<boolean> {
  const { namespace } = application.metadata;
  const written: WithStatus = { ...object, status };
  try {
    const answer = await client.replace(customResources.sparkApplications, written, {
      namespace,
      subresource: "status",
    });
    applications.note(objectRecord(answer));
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const found = await refresh(client, applications, application);
    // A write whose answer was lost is repeated, and then finds its own result.
    if (found === undefined || !isStatusOf(found, status)) return false;
  }
  events.record(application, told);
  onWritten(application, status);
  return true;
}

/**
 * Reads an application again.
 *
 * @returns undefined if it is gone
 */
export async function refresh(
  client: KubeClient,
  applications: ApplicationCache,
  { metadata }: Pick<SparkApplication, "metadata">,
): Promise<ObjectRecord | undefined> {
  const { namespace, name } = metadata;
  try {
    const record = objectRecord(await client.get(customResources.sparkApplications, name, { namespace }));
    applications.note(record);
    return record;
  } catch (error) {
    // A proxy on the way may answer 404 too, and a forgotten application is not checked any more.
    if (!isObjectNotFound(error, customResources.sparkApplications, name)) throw error;
    const known = applications.get(keyOf(metadata));
    if (known !== undefined) applications.forget(known);
    return undefined;
  }
}

/** Compares all fields except those that stock's CRD drops. */
function isStatusOf({ object }: ObjectRecord, status: SparkApplicationStatus): boolean {
  const found = readSparkApplication(object).application.status;
  return isDeepStrictEqual(comparable(found), comparable(status));
}

function comparable(status: SparkApplicationStatus): unknown {
  return withoutUnset({ ...status, attempts: undefined });
}
