import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";

/** A pod to be made, and the persistent volume claims that it needs, which are made with it. */
export interface ExecutorResources {
  readonly pod: Pod;
  readonly claims: readonly PersistentVolumeClaim[];
}

/** Whether the volume of one claim can stand in for that of another: same storage class, same size, word for word. */
export function isInterchangeable(one: PersistentVolumeClaim, other: PersistentVolumeClaim): boolean {
  return one.spec?.storageClassName === other.spec?.storageClassName && sizeOf(one) === sizeOf(other);
}

function sizeOf(claim: PersistentVolumeClaim): string | undefined {
  return claim.spec?.resources?.requests?.["storage"];
}

/** The same executor with the claims that are there already: `substitutes` has their names by the names of the planned. */
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
