import { isObject, type Json, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import type { PriorityClass } from "../../objects/core.ts";
import { age, type ResourceDefinition, columns, formatLabels, namedCells, orNone } from "@kindling/api-server";

/** The object at a field, or an empty one. */
function part(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isObject(value) ? value : {};
}

function text(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** Leases. */
export const leases: ResourceDefinition = {
  group: "coordination.k8s.io",
  kind: "Lease",
  columns: columns(
    "Name | Holder | Age",
    namedCells((lease) => [text(part(lease, "spec")["holderIdentity"])]),
  ),
  rules: {
    createOnUpdate: true,
    unconditionalUpdate: false,
  },
};

/** Slices of a service's endpoints. */
export const endpointSlices: ResourceDefinition = {
  group: "discovery.k8s.io",
  kind: "EndpointSlice",
  columns: columns(
    "Name | AddressType | Ports | Endpoints | Age",
    namedCells((slice) => [text(slice["addressType"]), slicePorts(slice), sliceAddresses(slice)]),
  ),
  rules: { createOnUpdate: true, generation: true },
};

/** Network policies. They are stored and shown, but not enforced here. */
export const networkPolicies: ResourceDefinition = {
  group: "networking.k8s.io",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  shortNames: ["netpol"],
  columns: columns(
    "Name | Pod-Selector | Age",
    namedCells((policy) => [
      formatLabels(part(part(policy, "spec"), "podSelector")["matchLabels"] as Record<string, string> | undefined),
    ]),
  ),
  rules: {
    generation: true,
    setDefaults: (policy) => {
      const spec = part(policy, "spec");
      if (Array.isArray(spec["policyTypes"])) return;
      spec["policyTypes"] = Array.isArray(spec["egress"]) ? ["Ingress", "Egress"] : ["Ingress"];
    },
  },
};

/** Budgets that limit evictions. */
export const podDisruptionBudgets: ResourceDefinition = {
  group: "policy",
  kind: "PodDisruptionBudget",
  shortNames: ["pdb"],
  status: true,
  columns: columns(
    "Name | Min Available | Max Unavailable | Allowed Disruptions:integer | Age",
    namedCells((budget) => {
      const [spec, status] = [part(budget, "spec"), part(budget, "status")];
      return [
        text(spec["minAvailable"]) || "N/A",
        text(spec["maxUnavailable"]) || "N/A",
        typeof status["disruptionsAllowed"] === "number" ? status["disruptionsAllowed"] : 0,
      ];
    }),
  ),
  rules: { generation: true },
};

/** Priority classes. */
export const priorityClasses: ResourceDefinition = {
  group: "scheduling.k8s.io",
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  namespaced: false,
  columns: columns("Name | Value:integer | Global-Default:boolean | Age | PreemptionPolicy", (object, now) => {
    const { metadata, value, globalDefault = false, preemptionPolicy = "" } = object as PriorityClass;
    return [metadata.name, value, globalDefault, age(metadata.creationTimestamp, now), preemptionPolicy];
  }),
  rules: { generation: true },
};

/** Storage classes. */
export const storageClasses: ResourceDefinition = {
  group: "storage.k8s.io",
  kind: "StorageClass",
  plural: "storageclasses",
  shortNames: ["sc"],
  namespaced: false,
  columns: columns(
    "Name | Provisioner | ReclaimPolicy | VolumeBindingMode | AllowVolumeExpansion | Age",
    (object, now) => {
      const isDefault = object.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
      return [
        isDefault ? `${object.metadata.name} (default)` : object.metadata.name,
        text(object["provisioner"]),
        text(object["reclaimPolicy"]),
        text(object["volumeBindingMode"]),
        object["allowVolumeExpansion"] === true,
        age(object.metadata.creationTimestamp, now),
      ];
    },
  ),
};

function slicePorts(slice: KubeObject): string {
  const ports = Array.isArray(slice["ports"]) ? slice["ports"].filter(isObject) : [];
  return orNone(
    ports
      .slice(0, 3)
      .map((port) => text(port["port"]))
      .join(","),
    "<unset>",
  );
}

function sliceAddresses(slice: KubeObject): string {
  const all = (Array.isArray(slice["endpoints"]) ? slice["endpoints"].filter(isObject) : []).flatMap((endpoint) =>
    Array.isArray(endpoint["addresses"]) ? endpoint["addresses"].map(text) : [],
  );
  const shown = all.slice(0, 3).join(",");
  return all.length > 3 ? `${shown} + ${all.length - 3} more...` : orNone(shown, "<unset>");
}
