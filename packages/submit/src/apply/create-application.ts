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
import { podState } from "@kindling/diagnosis";
import { leftAlone, leftBehind, mayHaveHappened, removePod, undoApply, undoPod, type Undo } from "./undo.ts";

const FIELD_MANAGER = "kindling";

/**
 * Creates an application's objects in Spark's order (KubernetesClientApplication, `Client.run`): what must precede the
 * pod, the pod, then the rest, bound to the pod so that all goes when it goes. What was made is taken away again if
 * something fails, but not where another call may have adopted it.
 *
 * The signal counts between requests. One that is under way is waited for, since a server may carry out what its client
 * no longer waits for, and nobody would take that away.
 *
 * @param once the pod's name belongs to this submission alone: if the pod is there already, an earlier call made it,
 * and what it did not get to is made now. Calls at the same time may rely on what this one made, so that nothing is
 * taken away
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
 * Makes what an earlier call left undone. Nothing is taken away if that fails: the application is not this call's. What
 * precedes the pod may be there and not yet be bound to it, so it is applied in any case.
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
    if (isAnswerTo(pod, answer)) return createdPod(answer, false);
    failure = answerIsNoPod();
  } catch (error) {
    // A repeated create whose first answer was lost meets its own pod.
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
 * The pod of this application, if it is there: what has its name and the application's id. The pod of another one has the
 * name taken, which the API server will say. That there is no pod has to be said: an empty list may be a senseless answer.
 *
 * @throws KubeError, KindlingError if nothing is said about the pod
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

/** @throws KindlingError for what is no pod */
function createdPod(pod: KubernetesPod | null, existed: boolean): CreatedPod {
  const { name, namespace, uid } = pod?.metadata ?? {};
  if (pod === null || typeof name !== "string" || typeof namespace !== "string" || typeof uid !== "string")
    throw answerIsNoPod();
  return { name, namespace, uid, existed, state: podState(pod) };
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
 * For submissions with an id of their own: another call may have made the object meanwhile. It differs in its times, and
 * an immutable one is then refused, but it does as well.
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
