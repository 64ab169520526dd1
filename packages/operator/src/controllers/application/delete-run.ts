import { isConflict, isNotFound, resources, type KubeClient, type ResourceType } from "@kindling/kube";
import type { SparkApplication } from "@kindling/spark-application";
import type { PodRecord } from "../../pods/pod-record.ts";
import { podRecord } from "../../pods/pod-record.ts";
import { resourceTypes } from "../../resources/resource-types.ts";

/**
 * Deletes the drivers of an application, with the service and the ingress of Spark's UI. An object of the same name that
 * belongs to something else stays.
 *
 * @param hasBudget whether the operator makes PodDisruptionBudgets for drivers
 */
export async function deleteRun(
  client: KubeClient,
  { metadata, status }: SparkApplication,
  pods: readonly PodRecord[],
  hasBudget: boolean,
): Promise<void> {
  const { namespace, uid } = metadata;
  const { podName, webUIServiceName, webUIIngressName } = status.driverInfo;
  const unseen = pods.some(({ name }) => name === podName)
    ? undefined
    : await ownDriver(client, namespace, podName, uid);
  for (const pod of unseen === undefined ? pods : [...pods, unseen]) {
    await gone(client.delete(resources.pods, pod.name, { namespace, preconditions: { uid: pod.uid } }));
  }
  await deleteOwned(client, resources.services, namespace, webUIServiceName, uid);
  await deleteOwned(client, resourceTypes.ingresses, namespace, webUIIngressName, uid);
  if (hasBudget) await deleteOwned(client, resourceTypes.podDisruptionBudgets, namespace, podName, uid);
}

/** The driver that the watch has not shown yet. */
async function ownDriver(
  client: KubeClient,
  namespace: string,
  name: string | undefined,
  uid: string,
): Promise<PodRecord | undefined> {
  if (name === undefined || name === "") return undefined;
  try {
    const pod = podRecord(await client.get(resources.pods, name, { namespace }));
    return pod?.ownerUids.includes(uid) === true && !pod.isDeleting ? pod : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function deleteOwned(
  client: KubeClient,
  type: ResourceType,
  namespace: string,
  name: string | undefined,
  uid: string,
): Promise<void> {
  if (name === undefined || name === "") return;
  try {
    const { metadata } = await client.get(type, name, { namespace });
    if (metadata?.ownerReferences?.some((owner) => owner.uid === uid) !== true) return;
    await client.delete(type, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } });
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}

/** Waits for a deletion. An object that is gone already, or was replaced, counts as deleted. */
async function gone(deletion: Promise<void>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
