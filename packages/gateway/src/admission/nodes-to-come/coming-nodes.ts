import type { KubeObject } from "@kindling/kube-objects";
import { type ClusterNode, readResources } from "@kindling/admission";
import { objectAt, objectsAt, textAt, textsAt, textsOf } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { taintsAt } from "./labels-of-class.ts";
import { conditionOf, daemonsPerNode, type NodeFacts } from "./node-facts.ts";

/**
 * The nodes of NodeClaims that are on their way. A NodeClaim says what its node will have, half a minute before the
 * node does (Karpenter v1, `pkg/apis/v1/nodeclaim_status.go`).
 */
export function nodesOfClaims(claims: readonly KubeObject[], facts: NodeFacts): ClusterNode[] {
  return claims.map((claim) => {
    const { labels = {} } = claim.metadata;
    const allocatable = readResources(textsOf(objectAt(claim, "status", "allocatable")));
    return {
      name: nodeNameOf(claim, facts.nodes) ?? claim.metadata.name,
      labels: { ...singleValues(claim), ...labels },
      taints: taintsAt(claim["spec"]),
      allocatable: { pods: Number.POSITIVE_INFINITY, ...allocatable },
      usedByOthers: daemonsPerNode(facts),
      unschedulable: false,
      backoffUntil: undefined,
      isComing: true,
    };
  });
}

/**
 * The node of a NodeClaim; undefined before it has joined the cluster. The NodeClaim names it some time later, and until then
 * both have the same id of the provider.
 */
function nodeNameOf(claim: KubeObject, nodes: readonly KubeObject[]): string | undefined {
  const named = textAt(claim, "status", "nodeName");
  const id = textAt(claim, "status", "providerID");
  if (named !== undefined || id === undefined) return named;
  return nodes.find((node) => textAt(node, "spec", "providerID") === id)?.metadata.name;
}

/** Whether a NodeClaim has been launched, and its node does not take pods yet. */
export function isOnItsWay(claim: KubeObject): boolean {
  return (
    claim.metadata.deletionTimestamp === undefined &&
    conditionOf(claim, "Launched") === true &&
    conditionOf(claim, "Initialized") !== true
  );
}

/** A node that takes longer than this to become ready for the first time is not counted on. */
const YOUNG_MS = 600_000;

/**
 * Taints that a new node loses when it is ready: of the kubelet's, of clouds, and of network plugins
 * (Kubernetes, "Well-Known Labels, Annotations and Taints"; Cilium, "Taint effects").
 */
const FIRST_TAINTS: ReadonlySet<string> = new Set([
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/network-unavailable",
  "node.cloudprovider.kubernetes.io/uninitialized",
  "node.cilium.io/agent-not-ready",
  "ebs.csi.aws.com/agent-not-ready",
  "efs.csi.aws.com/agent-not-ready",
]);

/** Whether a node has joined the cluster a short time ago, and is not ready yet. */
export function isBecomingReady(node: KubeObject, now: number): boolean {
  const created = timeOf(node.metadata.creationTimestamp) ?? 0;
  return now - created <= YOUNG_MS && conditionOf(node, "Ready") !== true;
}

/** Such a node counts as one that is coming, without the taints that it will lose. */
export function withoutFirstTaints(node: ClusterNode): ClusterNode {
  return { ...node, taints: node.taints.filter(({ key }) => !FIRST_TAINTS.has(key)), isComing: true };
}

/** Labels that follow from requirements with one value, such as the zone. */
function singleValues(claim: KubeObject): Record<string, string> {
  return Object.fromEntries(
    objectsAt(claim, "spec", "requirements").flatMap((requirement) => {
      const [key, operator] = [textAt(requirement, "key"), textAt(requirement, "operator")];
      const [value, ...others] = textsAt(requirement, "values");
      const isSingle = operator === "In" && others.length === 0;
      return key !== undefined && value !== undefined && isSingle ? [[key, value]] : [];
    }),
  );
}
