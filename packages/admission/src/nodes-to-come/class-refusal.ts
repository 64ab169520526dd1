import type { NodeSelectorRequirement, NodeSelectorTerm, Taint } from "kubernetes-types/core/v1.js";
import { type Placement, tolerates } from "../placement.ts";
import type { PodShape } from "../pod-shape.ts";
import type { Resources } from "../resources.ts";
import { ANY_VALUE, type LabelValues, mayMeet, NO_VALUE, oneValue } from "./label-values.ts";
import { type NodeClass, partOfNode } from "./node-class.ts";

/** Why a class of nodes does not take a pod. */
export type ClassRefusal =
  /** No node of it has, or may have, the label value that the pod requires. */
  | { readonly kind: "label"; readonly label: string }
  /** The pod does not tolerate this taint. */
  | { readonly kind: "taint"; readonly taint: Taint }
  /** The pod requires a node by its name. */
  | { readonly kind: "named-node" }
  /** The pod asks for more of this resource than one node has. */
  | { readonly kind: "too-large"; readonly resource: string; readonly most: number }
  /** Less of this resource is left than the pod asks for. */
  | { readonly kind: "limit"; readonly resource: string; readonly limit: number }
  /** The autoscaler adds none of its nodes now. */
  | { readonly kind: "unready"; readonly why: string }
  /** For such pods no node came lately. */
  | { readonly kind: "avoided"; readonly until: number };

const HOSTNAME = "kubernetes.io/hostname";

/**
 * Labels whose values an autoscaler chooses for each node, if the class says nothing about them: Kubernetes' own, and those
 * of Karpenter and of clouds.
 */
const OPEN_LABELS: ReadonlySet<string> = new Set([
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "node.kubernetes.io/instance-type",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/windows-build",
  "kubernetes.io/arch",
  "beta.kubernetes.io/arch",
  "kubernetes.io/os",
  "beta.kubernetes.io/os",
]);
/** Of Karpenter and its providers; `eks.amazonaws.com` has those of EKS Auto Mode; `topology` those of storage drivers. */
const OPEN_LABEL = /^karpenter\.[^/]+\/|^eks\.amazonaws\.com\/(?:instance-|compute-type$)|^topology\.[^/]+\//;

/** Whether a label that a class does not name may still have any value on its nodes. */
function isOpenLabel(label: string): boolean {
  return OPEN_LABELS.has(label) || OPEN_LABEL.test(label);
}

/** Why new nodes of the class do not take a pod, whatever is left of the class; `undefined` if they do. */
export function classRefusal(
  pod: Pick<PodShape, "placement" | "requests">,
  nodeClass: NodeClass,
): ClassRefusal | undefined {
  return (
    placementRefusal(pod.placement, nodeClass) ??
    tooLarge(pod.requests, nodeClass) ??
    (nodeClass.unready === undefined ? undefined : { kind: "unready", why: nodeClass.unready }) ??
    avoidance(pod, nodeClass)
  );
}

/** Whether too little is left of the class for so many pods of this kind together. */
export function limitRefusal(requests: Resources, count: number, nodeClass: NodeClass): ClassRefusal | undefined {
  const { limit, left } = nodeClass;
  for (const [resource, amount] of Object.entries(partOfNode(requests, nodeClass))) {
    if (amount * count > (left[resource] ?? Number.POSITIVE_INFINITY))
      return { kind: "limit", resource, limit: limit[resource] ?? 0 };
  }
  return undefined;
}

function placementRefusal(
  { nodeSelector, nodeAffinity, tolerations }: Placement,
  nodeClass: Pick<NodeClass, "labels" | "taints">,
): ClassRefusal | undefined {
  const selected = Object.entries(nodeSelector).find(
    ([label, value]) => !meets(nodeClass, { key: label, operator: "In", values: [value] }),
  );
  if (selected !== undefined) return { kind: "label", label: selected[0] };
  const refusals = nodeAffinity?.map((term) => termRefusal(term, nodeClass)) ?? [undefined];
  if (!refusals.includes(undefined)) return refusals[0] ?? { kind: "named-node" };
  const taint = nodeClass.taints.find(
    (one) => one.effect !== "PreferNoSchedule" && !tolerations.some((toleration) => tolerates(toleration, one)),
  );
  return taint && { kind: "taint", taint };
}

/** A pod asks for more of some resource than one node has. */
function tooLarge(requests: Resources, { largest }: Pick<NodeClass, "largest">): ClassRefusal | undefined {
  for (const [resource, amount] of Object.entries(requests)) {
    const most = largest[resource];
    if (most !== undefined && amount > most) return { kind: "too-large", resource, most };
  }
  return undefined;
}

function avoidance(
  { placement, requests }: Pick<PodShape, "placement" | "requests">,
  { avoided }: Pick<NodeClass, "avoided">,
): ClassRefusal | undefined {
  if (avoided.length === 0) return undefined;
  const text = JSON.stringify(placement);
  const alike = avoided.filter(({ pod }) => covers(requests, pod.requests) && JSON.stringify(pod.placement) === text);
  return alike.length === 0 ? undefined : { kind: "avoided", until: Math.max(...alike.map(({ until }) => until)) };
}

function covers(requests: Resources, other: Resources): boolean {
  return Object.entries(other).every(([resource, amount]) => (requests[resource] ?? 0) >= amount);
}

/** A term without requirements matches no node. */
function termRefusal(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  nodeClass: Pick<NodeClass, "labels">,
): ClassRefusal | undefined {
  // The name of a new node is not known before.
  if (matchFields.some(({ operator }) => operator !== "NotIn")) return { kind: "named-node" };
  if (matchExpressions.length + matchFields.length === 0) return { kind: "named-node" };
  const unmet = matchExpressions.find((requirement) => !meets(nodeClass, requirement));
  return unmet && { kind: "label", label: unmet.key };
}

function meets({ labels }: Pick<NodeClass, "labels">, requirement: NodeSelectorRequirement): boolean {
  const { key } = requirement;
  return mayMeet(labels.get(key) ?? unnamedLabel(key), requirement);
}

/** A hostname is like no other, so that a pod which requires one finds no new node. */
function unnamedLabel(label: string): LabelValues {
  if (label === HOSTNAME) return oneValue(" ");
  return isOpenLabel(label) ? ANY_VALUE : NO_VALUE;
}
