import type { KubeObject, OwnerReference } from "@kindling/kube-objects";
import { SCHEDULER_EXECUTOR_STEPS_ANNOTATION } from "@kindling/core-spec";
import { isNotFound, type KubeClient, type ResourceType } from "@kindling/kube";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { OWNED } from "../../cluster/upstream-types.ts";

type Kind = keyof typeof OWNED;

/** Where pods name other objects of their namespace. */
interface Named {
  readonly kind: Kind;
  readonly name: string;
}

/** Kinds that pods do not name: the driver's objects of these kinds are found by listing them. A namespace has few of them. */
const LISTED: readonly Kind[] = ["services", "networkpolicies"];
/** The annotation of pods that names their Volcano PodGroup. */
const POD_GROUP = "scheduling.k8s.io/group-name";

/**
 * Gives what one pod owns to another: the objects that the driver pod names, its Service, and its network policies. What the
 * driver created itself while it ran is deleted with it. A second call does nothing.
 *
 * @throws KubeError
 */
export async function handOn(client: KubeClient, driver: KubeObject, from: string, to: KubeObject): Promise<void> {
  const { namespace } = to.metadata;
  for (const { kind, name } of namedBy(driver)) {
    const object = await find(client, OWNED[kind], name, namespace);
    if (object !== undefined) await giveTo(client, OWNED[kind], object, from, to);
  }
  for (const kind of LISTED) {
    const { items } = await client.listAll(OWNED[kind], { namespace });
    for (const object of items) await giveTo(client, OWNED[kind], object, from, to);
  }
}

async function giveTo(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  { metadata: { name, namespace, resourceVersion, ownerReferences = [] } }: KubeObject,
  from: string,
  to: KubeObject,
): Promise<void> {
  const isOld = ({ apiVersion, kind, uid }: OwnerReference): boolean =>
    apiVersion === "v1" && kind === "Pod" && uid === from;
  const old = ownerReferences.find(isOld);
  if (old === undefined) return;
  const owner: OwnerReference = { ...old, name: to.metadata.name, uid: to.metadata.uid };
  const others = ownerReferences.filter((one) => !isOld(one) && one.uid !== owner.uid);
  // With the resource version, no change by somebody else is lost.
  const patch = { metadata: { resourceVersion, ownerReferences: [...others, owner] } };
  try {
    await client.patch(type, name, "merge", patch, { namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function find(
  client: KubeClient,
  type: ResourceType<KubeObject>,
  name: string,
  namespace: string | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(type, name, { namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The claims that a pod mounts, without its ephemeral volumes. */
export function claimsNamedBy(pod: KubeObject): string[] {
  return namedBy(pod).flatMap(({ kind, name }) => (kind === "persistentvolumeclaims" ? [name] : []));
}

/** The objects that a pod needs to start, each once (`VisitPodSecretNames` and `VisitPodConfigmapNames` of Kubernetes). */
function namedBy(pod: KubeObject): Named[] {
  const found = new Map<string, Named>();
  const add = (kind: Kind, name: string | undefined): void => {
    if (name !== undefined) found.set(`${kind}/${name}`, { kind, name });
  };
  for (const volume of objectsAt(pod, "spec", "volumes")) {
    add("configmaps", textAt(volume, "configMap", "name"));
    add("secrets", textAt(volume, "secret", "secretName"));
    add("persistentvolumeclaims", textAt(volume, "persistentVolumeClaim", "claimName"));
    for (const source of objectsAt(volume, "projected", "sources")) {
      add("configmaps", textAt(source, "configMap", "name"));
      add("secrets", textAt(source, "secret", "name"));
    }
  }
  for (const container of ["initContainers", "containers"].flatMap((list) => objectsAt(pod, "spec", list))) {
    for (const one of objectsAt(container, "envFrom")) {
      add("configmaps", textAt(one, "configMapRef", "name"));
      add("secrets", textAt(one, "secretRef", "name"));
    }
    for (const variable of objectsAt(container, "env")) {
      const from = objectAt(variable, "valueFrom");
      add("configmaps", textAt(from, "configMapKeyRef", "name"));
      add("secrets", textAt(from, "secretKeyRef", "name"));
    }
  }
  add("configmaps", pod.metadata.annotations?.[SCHEDULER_EXECUTOR_STEPS_ANNOTATION]);
  add("podgroups", pod.metadata.annotations?.[POD_GROUP]);
  for (const secret of objectsAt(pod, "spec", "imagePullSecrets")) add("secrets", textAt(secret, "name"));
  return [...found.values()];
}
