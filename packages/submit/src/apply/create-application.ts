import {
  type KubeObjectLike,
  isAlreadyExists,
  isNotFound,
  isObjectNotFound,
  resources,
  type KubeClient,
} from "@kindling/kube";
import {
  KindlingError,
  SPARK_APP_ID_LABEL,
  withHint,
  type KubernetesResource,
  type OwnerReference,
  type Pod,
} from "@kindling/core-spec";
import type { DriverObjects } from "@kindling/steps";
import type { Pod as KubernetesPod } from "kubernetes-types/core/v1.js";
import { clusterError } from "../cluster/cluster-error.ts";
import type { CreatedPod } from "../cluster/created-pod.ts";
import { leftOut } from "../cluster/left-out.ts";
import { podState } from "@kindling/diagnosis";
import { leftAlone, leftBehind, mayHaveHappened, removePod, undoApply, undoPod, type Undo } from "./undo.ts";

const FIELD_MANAGER = "kindling";

/**
 * Creates an application's objects in Spark's order (KubernetesClientApplication, `Client.run`): the objects that must exist
 * before the pod, the pod, then the rest. All are owned by the pod, so that they are deleted with it. If something fails, the
 * objects are deleted again, unless another call may have adopted them.
 *
 * The signal is checked between requests. A running request is waited for: the server may carry it out even if the client no
 * longer waits, and then nobody would delete the object.
 *
 * @param once whether the pod's name belongs to this submission alone. Then an existing pod comes from an earlier call, and
 *   this call creates what that one did not. Calls at the same time may rely on each other's objects, so nothing is deleted
 * @throws KindlingError with the API server's own words; its hint names what is still there
 */
export async function createApplication(
  client: KubeClient,
  objects: DriverObjects,
  { once, signal }: { readonly once: boolean; readonly signal?: AbortSignal },
): Promise<CreatedPod> {
  try {
    const existing = once ? await podOfApplication(client, objects.pod) : undefined;
    return existing === undefined
      ? await createAll(client, objects, once, signal)
      : await complete(client, objects, existing);
  } catch (error) {
    throw clusterError(error);
  }
}

async function createAll(
  client: KubeClient,
  objects: DriverObjects,
  once: boolean,
  signal: AbortSignal | undefined,
): Promise<CreatedPod> {
  const undo: Undo[] = [];
  try {
    for (const resource of objects.preResources) {
      throwIfAborted(signal);
      await applyBefore(client, resource, undo);
    }
    throwIfAborted(signal);
    const pod = await createPod(client, objects, once);
    if (pod.existed) return await complete(client, objects, pod);
    undo.unshift(undoPod(client, pod));
    const owner = ownerReference(pod);
    for (const resource of objects.preResources) {
      throwIfAborted(signal);
      await apply(client, withOwner(resource, owner));
    }
    throwIfAborted(signal);
    const applyOwned = once ? applyOrKeep : apply;
    await settleAll(objects.resources.map((resource) => applyOwned(client, withOwner(resource, owner))));
    throwIfAborted(signal);
    return pod;
  } catch (error) {
    throw withHint(clusterError(error), once ? leftAlone(undo) : await leftBehind(undo));
  }
}

async function applyBefore(client: KubeClient, resource: KubernetesResource, undo: Undo[]): Promise<void> {
  try {
    await apply(client, resource);
  } catch (error) {
    if (mayHaveHappened(error)) undo.unshift(undoApply(client, resource));
    throw error;
  }
  undo.unshift(undoApply(client, resource));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new KindlingError("INTERRUPTED", "interrupted");
}

/**
 * Creates what an earlier call left undone. Nothing is deleted if that fails: the application belongs to the earlier call.
 * Objects that precede the pod may exist without their owner reference, so they are applied in any case.
 */
async function complete(client: KubeClient, objects: DriverObjects, pod: CreatedPod): Promise<CreatedPod> {
  const owner = ownerReference(pod);
  for (const resource of objects.preResources) await apply(client, withOwner(resource, owner));
  for (const resource of objects.resources) {
    if ((await find(client, resource)) === undefined) await applyOrKeep(client, withOwner(resource, owner));
  }
  return pod;
}

async function createPod(client: KubeClient, { pod }: DriverObjects, once: boolean): Promise<CreatedPod> {
  let failure: unknown;
  try {
    const answer = await client.create(resources.pods, pod);
    if (isAnswerTo(pod, answer)) return { ...createdPod(answer, false), leftOut: leftOut(pod, answer) };
    failure = answerIsNoPod();
  } catch (error) {
    // The answer to the first create request was lost, and the repeated request finds the pod of the first.
    if (!mayHaveHappened(error) && !(once && isAlreadyExists(error))) throw error;
    failure = error;
  }
  let found: CreatedPod | undefined;
  try {
    found = await podOfApplication(client, pod);
  } catch {
    const { name = "", namespace = "" } = pod.metadata ?? {};
    const hint = `whether pod ${namespace}:${name} was made is not known; if so, remove it: ${removePod({ name, namespace })}`;
    throw withHint(clusterError(failure), hint);
  }
  if (found === undefined) throw failure;
  return { ...found, existed: once && isAlreadyExists(failure) };
}

function isAnswerTo(pod: Pod, answer: KubernetesPod | null): answer is KubernetesPod {
  const { name, uid } = answer?.metadata ?? {};
  return typeof uid === "string" && uid !== "" && name === pod.metadata?.name;
}

function answerIsNoPod(): KindlingError {
  return new KindlingError("CLUSTER_UNREACHABLE", "what the API server answers about the driver pod is not that pod", {
    hint: "check that the server's URL is that of a Kubernetes API server",
  });
}

/**
 * The pod of this application, if it exists: it has the same name and the application's id. If another application's pod has
 * the name, the API server will say that the name is taken. Only the API server's own words say that there is no pod: an
 * empty list may be a senseless answer.
 *
 * @throws KubeError, KindlingError if the answer says nothing about the pod
 */
async function podOfApplication(client: KubeClient, pod: Pod): Promise<CreatedPod | undefined> {
  const { name = "", namespace, labels } = pod.metadata ?? {};
  try {
    const found: KubernetesPod | null = await client.get(resources.pods, name, { namespace });
    if (!isAnswerTo(pod, found)) throw answerIsNoPod();
    const isOwn = found.metadata?.labels?.[SPARK_APP_ID_LABEL] === labels?.[SPARK_APP_ID_LABEL];
    return isOwn ? createdPod(found, true) : undefined;
  } catch (error) {
    if (isObjectNotFound(error, resources.pods, name)) return undefined;
    throw error;
  }
}

/** @throws KindlingError if the answer is no pod */
function createdPod(pod: KubernetesPod | null, existed: boolean): CreatedPod {
  const { name, namespace, uid } = pod?.metadata ?? {};
  if (pod === null || typeof name !== "string" || typeof namespace !== "string" || typeof uid !== "string")
    throw answerIsNoPod();
  return { name, namespace, uid, existed, state: podState(pod), leftOut: [] };
}

function ownerReference({ name, uid }: CreatedPod): OwnerReference {
  return { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
}

function withOwner(resource: KubernetesResource, owner: OwnerReference): KubernetesResource {
  return { ...resource, metadata: { ...resource.metadata, ownerReferences: [owner] } };
}

async function settleAll(all: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(all);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function apply(client: KubeClient, resource: KubernetesResource): Promise<void> {
  const type = await client.resourceFor(resource.apiVersion, resource.kind);
  await client.apply(type, resource, { fieldManager: FIELD_MANAGER, force: true });
}

/**
 * For submissions with an id: another call may have created the object meanwhile. It differs only in its times. If it is
 * immutable, the API server refuses the change, but the existing object is good enough.
 */
async function applyOrKeep(client: KubeClient, resource: KubernetesResource): Promise<void> {
  try {
    await apply(client, resource);
  } catch (error) {
    const found = await find(client, resource).catch(() => undefined);
    const uids = found?.metadata?.ownerReferences?.map(({ uid }) => uid) ?? [];
    if (!uids.some((uid) => uid === resource.metadata.ownerReferences?.[0]?.uid)) throw error;
  }
}

async function find(
  client: KubeClient,
  { apiVersion, kind, metadata }: KubernetesResource,
): Promise<KubeObjectLike | undefined> {
  const type = await client.resourceFor(apiVersion, kind);
  try {
    return await client.get(type, metadata.name, { namespace: metadata.namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
