import { jsonEqual } from "@kindling/kube-objects";
import {
  age,
  type ResourceDefinition,
  columns,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  parseAmount,
  required,
} from "@kindling/api-server";
import type { PersistentVolume, PersistentVolumeClaim } from "../../objects/core.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};
const IMMUTABLE =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Claims of persistent volumes. */
export const persistentVolumeClaims: ResourceDefinition = {
  kind: "PersistentVolumeClaim",
  shortNames: ["pvc"],
  status: true,
  columns: columns(
    "Name | Status | Volume | Capacity | Access Modes | StorageClass | VolumeAttributesClass | Age | VolumeMode*",
    (object, now) => {
      const { metadata, spec, status } = object as PersistentVolumeClaim;
      const bound = (spec.volumeName ?? "") !== "";
      return [
        metadata.name,
        metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
        spec.volumeName ?? "",
        bound ? (status.capacity?.["storage"] ?? "0") : "",
        bound ? formatModes(status.accessModes) : "",
        spec.storageClassName ?? "",
        "<unset>",
        age(metadata.creationTimestamp, now),
        spec.volumeMode ?? "<unset>",
      ];
    },
  ),
  rules: {
    returnsDeleted: true,
    setDefaults: (object) => {
      (object as PersistentVolumeClaim).status.phase ??= "Pending";
    },
    prepareCreate: (object) => {
      object["status"] = { phase: "Pending" };
    },
    validate: (object) => validateClaim(object as PersistentVolumeClaim),
    validateUpdate: ({ next, current }) =>
      validateClaimUpdate(next as PersistentVolumeClaim, current as PersistentVolumeClaim),
  },
};

/** Persistent volumes. */
export const persistentVolumes: ResourceDefinition = {
  kind: "PersistentVolume",
  shortNames: ["pv"],
  namespaced: false,
  status: true,
  columns: columns(
    "Name | Capacity | Access Modes | Reclaim Policy | Status | Claim | StorageClass | VolumeAttributesClass | Reason | Age | VolumeMode*",
    (object, now) => {
      const { metadata, spec, status } = object as PersistentVolume;
      const { claimRef } = spec;
      return [
        metadata.name,
        spec.capacity?.["storage"] ?? "0",
        formatModes(spec.accessModes),
        spec.persistentVolumeReclaimPolicy ?? "",
        metadata.deletionTimestamp === undefined ? (status.phase ?? "") : "Terminating",
        claimRef === undefined ? "" : `${claimRef.namespace ?? ""}/${claimRef.name ?? ""}`,
        spec.storageClassName ?? "",
        "<unset>",
        status.reason ?? "",
        age(metadata.creationTimestamp, now),
        spec.volumeMode ?? "<unset>",
      ];
    },
  ),
  rules: {
    returnsDeleted: true,
    setDefaults: (object) => {
      (object as PersistentVolume).status.phase ??= "Pending";
    },
    prepareCreate: (object, now) => {
      object["status"] = { phase: "Pending", lastPhaseTransitionTime: now };
    },
  },
};

function formatModes(modes: readonly string[] | undefined): string {
  return (modes ?? []).map((mode) => SHORT_MODES[mode] ?? mode).join(",");
}

function validateClaim({ spec }: PersistentVolumeClaim): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required("spec.accessModes", "at least 1 access mode is required"));
  modes.forEach((mode) => {
    if (!ACCESS_MODES.includes(mode)) errors.push(notSupported("spec.accessModes", mode, ACCESS_MODES));
  });
  const storage = spec.resources.requests?.["storage"];
  if (storage === undefined) errors.push(required("spec.resources[storage]"));
  else if ((parseAmount(storage)?.nanos ?? 0n) <= 0n) {
    errors.push(invalidValue("spec.resources[storage]", storage, "must be greater than zero"));
  }
  return errors;
}

function validateClaimUpdate(next: PersistentVolumeClaim, current: PersistentVolumeClaim): FieldError[] {
  const errors = validateClaim(next);
  // The controller may bind a claim to its volume, once.
  const { volumeName: _now, resources: _nowResources, ...now } = next.spec;
  const { volumeName: before, resources: _oldResources, ...old } = current.spec;
  const rebound = (before ?? "") !== "" && next.spec.volumeName !== before;
  if (rebound || !jsonEqual(now, old)) errors.push(forbiddenField("spec", IMMUTABLE));
  return errors;
}
