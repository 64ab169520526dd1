import type { JsonObject } from "@kindling/test-kit/json";

/** A pod that no scheduler places, so that nothing happens to it. */
export function idlePod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { schedulerName: "none", containers: [{ name: "main", image: "example/image" }], ...spec },
  };
}

export function configMap(name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** An owner reference to an object. */
export function ownedBy(owner: JsonObject, members: JsonObject = {}): JsonObject {
  const { name, uid } = owner["metadata"] as JsonObject;
  return { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...members }] };
}
