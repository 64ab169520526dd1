import type { JsonObject } from "./json.ts";

export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

/** `meta/v1` ObjectMeta without managed fields, which the store keeps separately. */
export type ObjectMeta = {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
};

/** Any API object. Objects from the store are shared: make a new object instead of changing one. */
export interface KubeObject extends JsonObject {
  kind: string;
  apiVersion: string;
  metadata: ObjectMeta;
}

/** The key under which an object is stored. (`kind/namespace/name` is only for people.) */
export function objectKey(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}/${name}`;
}

/** The owner reference for an object that `owner` controls. */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** A condition of a status, in any of its variants. */
export type Condition = {
  type: string;
  status: "True" | "False" | "Unknown";
  reason?: string;
  message?: string;
  observedGeneration?: number;
  lastProbeTime?: string | null;
  lastHeartbeatTime?: string | null;
  lastTransitionTime?: string | null;
};
