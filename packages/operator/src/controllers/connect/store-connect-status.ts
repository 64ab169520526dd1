import { type Cache, keyOf } from "@kindling/controller";
import { isConflict, isNotFound, isObjectNotFound, type KubeClient } from "@kindling/kube";
import { customResources, type SparkConnectStatus } from "@kindling/spark-application";
import { type ObjectRecord, objectRecord } from "../../caches/object-record.ts";
import type { WithStatus } from "../with-status.ts";

/** The client that writes for Connect servers, and the cache that is updated with it. */
export interface ConnectWriter {
  /** Writes only while this process may act. */
  readonly client: KubeClient;
  readonly connects: Cache<ObjectRecord>;
}

/** @returns whether it was written; if not, the object has changed or is gone, and is checked again */
export async function storeConnectStatus(
  writer: ConnectWriter,
  record: ObjectRecord,
  status: SparkConnectStatus,
): Promise<boolean> {
  const { client, connects } = writer;
  const { namespace } = record;
  const written: WithStatus = { ...record.object, status };
  try {
    const answer = await client.replace(customResources.sparkConnects, written, { namespace, subresource: "status" });
    connects.note(objectRecord(answer));
    return true;
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const found = await refreshConnect(writer, record);
    if (found?.resourceVersion === record.resourceVersion) throw error;
    return false;
  }
}

/** @returns undefined if it is gone */
export async function refreshConnect(
  { client, connects }: ConnectWriter,
  record: ObjectRecord,
): Promise<ObjectRecord | undefined> {
  const { name, namespace } = record;
  try {
    const found = objectRecord(await client.get(customResources.sparkConnects, name, { namespace }));
    connects.note(found);
    return found;
  } catch (error) {
    // A proxy on the way may answer 404 too, and a forgotten object is not checked any more.
    if (!isObjectNotFound(error, customResources.sparkConnects, name)) throw error;
    const known = connects.get(keyOf(record));
    if (known !== undefined) connects.forget(known);
    return undefined;
  }
}

/** Deletes a SparkConnect in the state in which it was read. */
export async function deleteConnect(
  { client }: ConnectWriter,
  { name, namespace, uid, resourceVersion }: ObjectRecord,
): Promise<void> {
  try {
    const preconditions = { uid, resourceVersion };
    await client.delete(customResources.sparkConnects, name, { namespace, preconditions });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
