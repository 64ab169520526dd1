import type { PersistentVolumeClaim } from "../objects/core.ts";
import type { AdmissionPlugin, Store } from "@kindling/api-server";

const DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
/** These finalizers keep volumes and claims as long as something uses them. */
export const CLAIM_PROTECTION = "kubernetes.io/pvc-protection";
export const VOLUME_PROTECTION = "kubernetes.io/pv-protection";

/** Sets the default storage class in claims without one, and protects claims and volumes in use. */
export function volumeClaims(store: Store): AdmissionPlugin {
  return {
    admit({ operation, type, object }) {
      if (operation !== "create" || object === undefined) return;
      if (type.storageKey === "persistentvolumes") addFinalizer(object, VOLUME_PROTECTION);
      if (type.storageKey !== "persistentvolumeclaims") return;
      addFinalizer(object, CLAIM_PROTECTION);
      const { spec } = object as PersistentVolumeClaim;
      if (spec.storageClassName !== undefined) return;
      const chosen = [...store.collection("storageclasses.storage.k8s.io").list()].find(
        (one) => one.object.metadata.annotations?.[DEFAULT_CLASS] === "true",
      );
      if (chosen !== undefined) spec.storageClassName = chosen.object.metadata.name;
    },
  };
}

function addFinalizer({ metadata }: { metadata: { finalizers?: string[] } }, finalizer: string): void {
  if (metadata.finalizers?.includes(finalizer) !== true)
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
}
