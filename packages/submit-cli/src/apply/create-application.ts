import { SPARK_APP_ID_LABEL, type KubernetesResource, type OwnerReference, type Pod } from "@kindling/core-spec";
import { isAlreadyExists, isKubeError, isNotFound, resources, type KubeClient, type KubeObject } from "@kindling/kube";
import type { DriverObjects } from "@kindling/steps";
import { clusterError } from "./cluster-error.ts";

const FIELD_MANAGER = "kindling";

/** A driver pod as the API server has it. */
export interface CreatedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Whether it was there before: only where a submission is to happen once. */
  readonly existed: boolean;
}

/**
 * Creates an application's objects in Spark's order (KubernetesClientApplication, `Client.run`): what must precede the
 * pod, the pod, then the rest, bound to the pod so that all goes when it goes. What was made is taken away again if
 * something fails.
 *
 * @param once the pod's name belongs to this submission alone: if the pod is there already, an earlier call made it,
 * and what it did not get to is made now
 * @throws KindlingError with the API server's own words
 */
export async function createApplication(
  client: KubeClient,
  objects: DriverObjects,
  { once, signal }: { readonly once: boolean; readonly signal?: AbortSignal },
): Promise<CreatedPod> {
  try {
    const existing = once ? await findPod(client, objects) : undefined;
    return existing === undefined
      ? await createAll(client, objects, once, signal)
      : await complete(client, objects, existing, signal);
  } catch (error) {
    throw clusterError(error);
  }
}

async function createAll(
  client: KubeClient,
  objects: DriverObjects,
  once: boolean,
  signal?: AbortSignal,
): Promise<CreatedPod> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const resource of objects.preResources) {
      undo.unshift(() => remove(client, resource));
      await apply(client, resource, signal);
    }
    const pod = await createPod(client, objects, once, signal);
    if (pod.existed) return await complete(client, objects, pod, signal);
    undo.unshift(() => client.delete(resources.pods, pod.name, { namespace: pod.namespace }));
    const owner = ownerReference(pod);
    for (const resource of objects.preResources) await apply(client, withOwner(resource, owner), signal);
    await applyAll(
      client,
      objects.resources.map((resource) => withOwner(resource, owner)),
      signal,
    );
    return pod;
  } catch (error) {
    // What follows the pod goes with it: the garbage collector sees to that.
    await Promise.allSettled(undo.map((action) => action()));
    throw error;
  }
}

/** Makes what an earlier call left undone. Nothing is taken away if that fails: the application is not this call's. */
async function complete(
  client: KubeClient,
  objects: DriverObjects,
  pod: CreatedPod,
  signal?: AbortSignal,
): Promise<CreatedPod> {
  const owner = ownerReference(pod);
  for (const resource of [...objects.preResources, ...objects.resources]) {
    if (!(await exists(client, resource, signal))) await apply(client, withOwner(resource, owner), signal);
  }
  return pod;
}

async function createPod(
  client: KubeClient,
  { pod }: DriverObjects,
  once: boolean,
  signal?: AbortSignal,
): Promise<CreatedPod> {
  try {
    return createdPod(await client.create(resources.pods, pod, { signal }), false);
  } catch (error) {
    // A create whose answer was lost may have been carried out, and a repeated one then meets its own pod.
    const mayBeOwn = isKubeError(error) && (error.mayHaveHappened || (once && isAlreadyExists(error)));
    const found = mayBeOwn ? await podOfApplication(client, pod) : undefined;
    if (found === undefined) throw error;
    return { ...found, existed: once && isAlreadyExists(error) };
  }
}

async function findPod(client: KubeClient, { pod }: DriverObjects): Promise<CreatedPod | undefined> {
  const found = await podOfApplication(client, pod);
  return found === undefined ? undefined : { ...found, existed: true };
}

/** The pod of this application if it is there, under its name or, named otherwise by an earlier call, by its label. */
async function podOfApplication(client: KubeClient, pod: Pod): Promise<CreatedPod | undefined> {
  const namespace = pod.metadata?.namespace;
  const appId = pod.metadata?.labels?.[SPARK_APP_ID_LABEL];
  const { items } = await client.listAll(resources.pods, {
    namespace,
    labelSelector: `${SPARK_APP_ID_LABEL}=${appId ?? ""},spark-role=driver`,
  });
  return items[0] === undefined ? undefined : createdPod(items[0], false);
}

function createdPod(pod: KubeObject, existed: boolean): CreatedPod {
  const { name = "", namespace = "", uid = "" } = pod.metadata ?? {};
  return { name, namespace, uid, existed };
}

function ownerReference({ name, uid }: CreatedPod): OwnerReference {
  return { apiVersion: "v1", kind: "Pod", name, uid, controller: true };
}

function withOwner(resource: KubernetesResource, owner: OwnerReference): KubernetesResource {
  return { ...resource, metadata: { ...resource.metadata, ownerReferences: [owner] } };
}

async function applyAll(client: KubeClient, all: readonly KubernetesResource[], signal?: AbortSignal): Promise<void> {
  const results = await Promise.allSettled(all.map((resource) => apply(client, resource, signal)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

async function apply(client: KubeClient, resource: KubernetesResource, signal?: AbortSignal): Promise<void> {
  const type = await client.resourceFor(resource.apiVersion, resource.kind, { signal });
  await client.apply(type, resource, { fieldManager: FIELD_MANAGER, force: true, signal });
}

async function exists(
  client: KubeClient,
  { apiVersion, kind, metadata }: KubernetesResource,
  signal?: AbortSignal,
): Promise<boolean> {
  const type = await client.resourceFor(apiVersion, kind, { signal });
  try {
    await client.get(type, metadata.name, { namespace: metadata.namespace, signal });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function remove(client: KubeClient, { apiVersion, kind, metadata }: KubernetesResource): Promise<void> {
  const type = await client.resourceFor(apiVersion, kind);
  await client.delete(type, metadata.name, { namespace: metadata.namespace });
}
