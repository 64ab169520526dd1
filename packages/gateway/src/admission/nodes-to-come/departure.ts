import type { KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";

/**
 * Taints that announce that a node goes: of Karpenter, of the cluster-autoscaler, of the termination handlers of clouds, and of
 * Kubernetes, which taints a node that was cordoned.
 */
const DEPARTURES: ReadonlySet<string> = new Set([
  "karpenter.sh/disrupted",
  "karpenter.sh/disruption",
  "ToBeDeletedByClusterAutoscaler",
  "aws-node-termination-handler/spot-itn",
  "aws-node-termination-handler/scheduled-maintenance",
  "aws-node-termination-handler/asg-lifecycle-termination",
  "aws-node-termination-handler/rebalance-recommendation",
  "cloud.google.com/impending-node-termination",
  "remediator.kubernetes.azure.com/unschedulable",
  "node.kubernetes.io/out-of-service",
  "node.kubernetes.io/unschedulable",
  "node.cloudprovider.kubernetes.io/shutdown",
]);

/** Conditions by which the node problem detector of AKS tells of scheduled events. */
const EVENTS: ReadonlySet<string> = new Set([
  "PreemptScheduled",
  "TerminateScheduled",
  "RebootScheduled",
  "RedeployScheduled",
]);

/** What says that a node goes, or is emptied: the name of a taint or a condition. `undefined` if nothing does. */
export function departureOf(node: KubeObject): string | undefined {
  const taint = objectsAt(node, "spec", "taints").find(({ key }) => typeof key === "string" && DEPARTURES.has(key));
  if (taint !== undefined) return textAt(taint, "key");
  if (objectAt(node, "spec")["unschedulable"] === true) return "node.kubernetes.io/unschedulable";
  const event = objectsAt(node, "status", "conditions").find(
    ({ type, status }) => typeof type === "string" && EVENTS.has(type) && status === "True",
  );
  if (event !== undefined) return textAt(event, "type");
  return node.metadata.deletionTimestamp === undefined ? undefined : "its deletion";
}
