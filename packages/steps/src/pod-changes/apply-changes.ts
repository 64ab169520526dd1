import type { Container, OwnerReference, Pod, PodChanges, PodSpec } from "@kindling/core-spec";
import type { SparkPod } from "../spark-pod.ts";

/** The pod with the changes; unchanged parts stay the same objects. */
export function applyChanges({ pod, container }: SparkPod, changes: PodChanges): SparkPod {
  return { pod: withOwners(withSpec(pod, container, changes), changes), container: withContainer(container, changes) };
}

/** An owner that the pod already names in the same way is not added again. */
function withOwners(pod: Pod, { ownerReferences }: PodChanges): Pod {
  const present: readonly OwnerReference[] = pod.metadata?.ownerReferences ?? [];
  const added = ownerReferences.filter((owner) => !present.some((known) => isSameOwner(known, owner)));
  return added.length === 0 ? pod : { ...pod, metadata: { ...pod.metadata, ownerReferences: [...present, ...added] } };
}

const OWNER_FIELDS = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"] as const;

function isSameOwner(one: OwnerReference, other: OwnerReference): boolean {
  return OWNER_FIELDS.every((field) => one[field] === other[field]);
}

function withSpec(pod: Pod, container: Container, changes: PodChanges): Pod {
  const { volumes, hostAliases, tolerations, nodeSelector, cleared } = changes;
  const { containers, initContainers, ...spec } = pod.spec ?? {};
  const sidecars = newContainers([container, ...(containers ?? [])], changes.sidecars);
  const inits = newContainers(initContainers ?? [], changes.initContainers);
  const fields: Partial<PodSpec> = {
    ...changes.spec,
    ...(volumes.length > 0 && { volumes: [...(spec.volumes ?? []), ...volumes] }),
    ...(hostAliases.length > 0 && { hostAliases: [...(spec.hostAliases ?? []), ...hostAliases] }),
    ...(tolerations.length > 0 && { tolerations: [...(spec.tolerations ?? []), ...tolerations] }),
    ...(sidecars.length > 0 && { containers: [...(containers ?? []), ...sidecars] }),
    ...(inits.length > 0 && { initContainers: [...(initContainers ?? []), ...inits] }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
  };
  if (Object.keys(fields).length === 0 && cleared.length === 0) return pod;
  const kept = Object.entries(pod.spec ?? {}).filter(([field]) => !cleared.some((name) => name === field));
  return { ...pod, spec: { ...Object.fromEntries(kept), ...fields } };
}

/** The containers with a name and image that no present container has. */
function newContainers(present: readonly Container[], wanted: readonly Container[]): Container[] {
  const added: Container[] = [];
  for (const container of wanted) {
    const isThere = [...present, ...added].some(
      ({ name, image = "" }) => name === container.name && image === (container.image ?? ""),
    );
    if (!isThere) added.push(container);
  }
  return added;
}

function withContainer(container: Container, changes: PodChanges): Container {
  const { env, envFrom, ports, volumeMounts, limits } = changes;
  const fields: Partial<Container> = {
    ...changes.container,
    ...(env.length > 0 && { env: [...(container.env ?? []), ...env] }),
    ...(envFrom.length > 0 && { envFrom: [...(container.envFrom ?? []), ...envFrom] }),
    ...(ports.length > 0 && { ports: [...(container.ports ?? []), ...ports] }),
    ...(volumeMounts.length > 0 && { volumeMounts: [...(container.volumeMounts ?? []), ...volumeMounts] }),
    ...(Object.keys(limits).length > 0 && {
      resources: { ...container.resources, limits: { ...container.resources?.limits, ...limits } },
    }),
  };
  return Object.keys(fields).length === 0 ? container : { ...container, ...fields };
}
