import { type KubeObject, notFound } from "@kindling/api-server";
import { isNotFound, type KubeClient } from "@kindling/kube";
import type { Application } from "../applications/application.ts";
import { isOwnedBy } from "../spark/spark-pod.ts";
import { forward } from "../upstream/forward.ts";
import { takeAway } from "../upstream/take-away.ts";
import { type SetKind, UPSTREAM, withoutManagedFields } from "../upstream/upstream-types.ts";
import { DRIVER_UID, SET } from "../views/marks.ts";

/**
 * Reads a set of an application from the cluster.
 *
 * @throws ApiError 404 for one that is not there or not the driver's own, or what the API server answers
 */
export async function ownSet(
  client: KubeClient,
  { namespace, driverUid }: Application,
  kind: SetKind,
  name: string,
): Promise<KubeObject> {
  const set = await forward(() => client.get(UPSTREAM[kind], name, { namespace }));
  if (!isOwnedBy(set, { uid: driverUid })) throw notFound({ group: "apps", resource: kind }, name);
  return withoutManagedFields(set);
}

/**
 * Deletes the set that a pod is of, which would make another in the pod's place. Nothing happens if that has been done.
 *
 * @throws KubeError if it cannot be deleted
 */
export async function takeAwaySetOf(client: KubeClient, pod: KubeObject): Promise<void> {
  const { namespace, annotations = {} } = pod.metadata;
  const [kind, name = ""] = annotations[SET]?.split("/") ?? [];
  if ((kind !== "statefulsets" && kind !== "deployments") || name === "") return;
  let set: KubeObject;
  try {
    set = await client.get(UPSTREAM[kind], name, { namespace });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  const { deletionTimestamp } = set.metadata;
  const isItsOwn = isOwnedBy(set, { uid: annotations[DRIVER_UID] ?? "" });
  if (isItsOwn && deletionTimestamp === undefined) await takeAway(client, UPSTREAM[kind], set);
}
