import { isDeepStrictEqual } from "node:util";
import { isConflict, isNotFound, isObjectNotFound, type KubeClient } from "@kindling/kube";
import { customResources, type WithStatus } from "../act/custom-resources.ts";
import type { EventRecorder } from "../act/record-events.ts";
import type { SparkApplication } from "../api/v1beta2/spark-application.ts";
import type { SparkApplicationStatus } from "../api/v1beta2/status.ts";
import { readSparkApplication } from "../api/v1beta2/read.ts";
import type { ApplicationEvent } from "../reconcile/application-event.ts";
import { withoutUnset } from "../reconcile/status-changes.ts";
import { objectRecord, type ObjectRecord } from "../watch/application-record.ts";
import { recordKey } from "../watch/record-store.ts";
import type { ApplicationStores } from "../watch/application-stores.ts";

export interface StatusStore {
  readonly client: KubeClient;
  readonly stores: ApplicationStores;
  readonly events: EventRecorder;
  /** Told of each status that was written. */
  readonly onWritten: (application: SparkApplication, status: SparkApplicationStatus) => void;
}

/**
 * Writes a status over the one that was read, and tells the events of it. Where the object has changed since or is gone,
 * nothing is written and the store gets to know what is there.
 *
 * @returns whether it was written
 */
export async function storeStatus(
  { client, stores, events, onWritten }: StatusStore,
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
    stores.applications.put(objectRecord(answer));
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const found = await refresh(client, stores, application);
    // A write whose answer was lost is repeated, and meets what it has written itself.
    if (found === undefined || !isStatusOf(found, status)) return false;
  }
  events.record(application, told);
  onWritten(application, status);
  return true;
}

/**
 * Reads an application anew.
 *
 * @returns undefined if it is gone
 */
export async function refresh(
  client: KubeClient,
  stores: ApplicationStores,
  { metadata }: Pick<SparkApplication, "metadata">,
): Promise<ObjectRecord | undefined> {
  const { namespace, name } = metadata;
  try {
    const record = objectRecord(await client.get(customResources.sparkApplications, name, { namespace }));
    stores.applications.put(record);
    return record;
  } catch (error) {
    // Anything on the way may say 404, and an application that is forgotten is not looked at any more.
    if (!isObjectNotFound(error, customResources.sparkApplications, name)) throw error;
    const known = stores.applications.get(recordKey(metadata));
    if (known !== undefined) stores.applications.drop(known);
    return undefined;
  }
}

/** But for what stock's definition drops. */
function isStatusOf({ object }: ObjectRecord, status: SparkApplicationStatus): boolean {
  const found = readSparkApplication(object).application.status;
  return isDeepStrictEqual(comparable(found), comparable(status));
}

function comparable(status: SparkApplicationStatus): unknown {
  return withoutUnset({ ...status, attempts: undefined });
}
