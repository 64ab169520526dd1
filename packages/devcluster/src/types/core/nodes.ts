import type { Node } from "../../objects/core.ts";
import { age, type ResourceDefinition, columns, orNone } from "@kindling/api-server";

/** New nodes accept no pods until they have reported that they are ready. */
const NOT_READY = "node.kubernetes.io/not-ready";
const ROLE = "node-role.kubernetes.io/";

/** Nodes. */
export const nodes: ResourceDefinition = {
  kind: "Node",
  shortNames: ["no"],
  namespaced: false,
  status: true,
  columns: columns(
    "Name | Status | Roles | Age | Version | Internal-IP* | External-IP* | OS-Image* | Kernel-Version* | Container-Runtime*",
    (object, now) => {
      const node = object as Node;
      const { metadata, status } = node;
      const { nodeInfo: info } = status;
      return [
        metadata.name,
        readiness(node),
        roles(node),
        age(metadata.creationTimestamp, now),
        info["kubeletVersion"] ?? "",
        orNone(address(node, "InternalIP")),
        orNone(address(node, "ExternalIP")),
        orNone(info["osImage"], "<unknown>"),
        orNone(info["kernelVersion"], "<unknown>"),
        orNone(info["containerRuntimeVersion"], "<unknown>"),
      ];
    },
  ),
  rules: {
    prepareCreate: (object) => {
      const { spec } = object as Node;
      if (spec.taints?.some(({ key }) => key === NOT_READY) === true) return;
      spec.taints = [...(spec.taints ?? []), { key: NOT_READY, effect: "NoSchedule" }];
    },
    selectableFields: (object) => ({
      "spec.unschedulable": String((object as Partial<Node>).spec?.unschedulable === true),
    }),
  },
};

function readiness({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === "Ready");
  const text = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

function roles({ metadata }: Node): string {
  const names = Object.keys(metadata.labels ?? {}).flatMap((label) =>
    label.startsWith(ROLE) ? [label.slice(ROLE.length)] : [],
  );
  return orNone(names.sort().join(","));
}

function address({ status }: Node, type: string): string | undefined {
  return status.addresses?.find((one) => one.type === type)?.address;
}
