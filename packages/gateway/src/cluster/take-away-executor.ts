import type { KubeObject } from "@kindling/kube-objects";
import { isNotFound, type KubeClient } from "@kindling/kube";
import { controllingSet, owningPods, setMarkOf } from "../spark/spark-pod.ts";
import { takeAway } from "./take-away.ts";
import { UPSTREAM } from "./upstream-types.ts";
import type { SetKind } from "../spark/set-marks.ts";
import { DRIVER_UID } from "../spark/marks.ts";

/**
 * Deletes an executor whose driver is gone. If the executor belongs to a set, the set is deleted, because it would create
 * another pod. This is done only for the set that controls the pod, and only if that set belongs to its driver. If that set
 * is gone, or another one has its name, only the pod is deleted.
 *
 * @throws KubeError if it cannot be deleted
 */
export async function takeAwayExecutor(client: KubeClient, pod: KubeObject): Promise<void> {
  const set = await setOf(client, pod);
  if (set === undefined) await takeAway(client, UPSTREAM.pods, pod);
  else if (set.object.metadata.deletionTimestamp === undefined) await takeAway(client, UPSTREAM[set.kind], set.object);
}

interface FoundSet {
  readonly kind: SetKind;
  readonly object: KubeObject;
}

async function setOf(client: KubeClient, pod: KubeObject): Promise<FoundSet | undefined> {
  const { namespace, annotations = {} } = pod.metadata;
  const [kind, name = ""] = setMarkOf(pod)?.split("/") ?? [];
  if ((kind !== "statefulsets" && kind !== "deployments") || name === "") return undefined;
  try {
    const object = await client.get(UPSTREAM[kind], name, { namespace });
    const isItsOwn = owningPods(object).some(({ uid }) => uid === annotations[DRIVER_UID]);
    return isItsOwn && controls({ kind, object }, pod) ? { kind, object } : undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether a set controls a pod: directly, or through a ReplicaSet, whose name is that of its Deployment and a hash. */
function controls({ kind, object }: FoundSet, pod: KubeObject): boolean {
  const controller = controllingSet(pod);
  if (controller === undefined) return false;
  const { name, uid } = object.metadata;
  if (kind === "statefulsets") return controller.kind === "StatefulSet" && controller.uid === uid;
  return controller.kind === "ReplicaSet" && controller.name.replace(/-[^-]*$/, "") === name;
}
