import type { Cache, EventRecorder } from "@kindling/controller";
import { isAlreadyExists, isConflict, isNotFound, isObjectNotFound, type KubeClient } from "@kindling/kube";
import { API_VERSION, customResources } from "@kindling/spark-application";
import { type ObjectRecord, objectRecord } from "../../caches/object-record.ts";
import type { ApplicationCache } from "../../caches/operator-caches.ts";
import type { WithStatus } from "../with-status.ts";
import type { RunToStart } from "../../schedule/scheduled-run.ts";

/** The client that writes for schedules, and the caches and events that are updated with it. */
export interface ScheduleWriter {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  readonly schedules: Cache<ObjectRecord>;
  readonly applications: ApplicationCache;
  readonly events: EventRecorder;
}

/** Makes the SparkApplication of a run, or finds that it has been made. */
export async function startRun(
  { client, applications }: ScheduleWriter,
  record: ObjectRecord,
  { name, labels, ownerReference }: RunToStart,
): Promise<void> {
  const { namespace } = record;
  const object = {
    apiVersion: API_VERSION,
    kind: "SparkApplication",
    metadata: { name, namespace, labels, ownerReferences: [ownerReference] },
    // As the user wrote it, with the fields that this operator does not know.
    spec: templateOf(record),
  };
  try {
    applications.note(objectRecord(await client.create(customResources.sparkApplications, object)));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = objectRecord(await client.get(customResources.sparkApplications, name, { namespace }));
    if (!isOwnedBy(found, ownerReference.uid)) throw error;
    applications.note(found);
  }
}

/** @returns whether it was written; if not, the schedule has changed or is gone, and is checked again */
export async function storeStatus(writer: ScheduleWriter, record: ObjectRecord, status: unknown): Promise<boolean> {
  const { client, schedules } = writer;
  const { namespace } = record;
  const type = customResources.scheduledSparkApplications;
  const written: WithStatus = { ...record.object, status };
  try {
    schedules.note(objectRecord(await client.replace(type, written, { namespace, subresource: "status" })));
    return true;
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const found = await refresh(writer, record);
    if (found?.resourceVersion === record.resourceVersion) throw error;
    return false;
  }
}

/** @returns undefined if it is gone */
export async function refresh(
  { client, schedules }: ScheduleWriter,
  record: ObjectRecord,
): Promise<ObjectRecord | undefined> {
  const { name, namespace } = record;
  const type = customResources.scheduledSparkApplications;
  try {
    const found = objectRecord(await client.get(type, name, { namespace }));
    schedules.note(found);
    return found;
  } catch (error) {
    // A proxy on the way may answer 404 too, and a forgotten schedule is not checked any more.
    if (!isObjectNotFound(error, type, name)) throw error;
    schedules.forget(record);
    return undefined;
  }
}

export async function remove({ client }: ScheduleWriter, name: string, namespace: string): Promise<void> {
  try {
    await client.delete(customResources.sparkApplications, name, { namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export function isOwnedBy({ object }: ObjectRecord, uid: string): boolean {
  return object.metadata?.ownerReferences?.some((owner) => owner.uid === uid) === true;
}

function templateOf({ object }: ObjectRecord): unknown {
  const { spec } = object as { readonly spec?: { readonly template?: unknown } };
  return spec?.template;
}
