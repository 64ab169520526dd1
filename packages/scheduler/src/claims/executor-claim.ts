import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";

/** A pod to create, and the persistent volume claims that are created with it. */
export interface ExecutorResources {
  readonly pod: Pod;
  readonly claims: readonly PersistentVolumeClaim[];
}

/** Whether one claim can replace another: the storage class and the size must be written identically. */
export function isInterchangeable(one: PersistentVolumeClaim, other: PersistentVolumeClaim): boolean {
  return one.spec?.storageClassName === other.spec?.storageClassName && sizeOf(one) === sizeOf(other);
}

function sizeOf(claim: PersistentVolumeClaim): string | undefined {
  return claim.spec?.resources?.requests?.["storage"];
}

/** The same executor with existing claims: `substitutes` maps the names of planned claims to the names of existing ones. */
export function withSubstitutes(
  { pod, claims }: ExecutorResources,
  substitutes: ReadonlyMap<string, string>,
): ExecutorResources {
  if (substitutes.size === 0) return { pod, claims };
  const volumes = (pod.spec?.volumes ?? []).map((volume) => {
    const { persistentVolumeClaim: mounted } = volume;
    const substitute = mounted === undefined ? undefined : substitutes.get(mounted.claimName);
    if (mounted === undefined || substitute === undefined) return volume;
    return { ...volume, persistentVolumeClaim: { ...mounted, claimName: substitute } };
  });
  return {
    pod: { ...pod, spec: { ...pod.spec, containers: pod.spec?.containers ?? [], volumes } },
    claims: claims.filter(({ metadata }) => !substitutes.has(metadata?.name ?? "")),
  };
}
