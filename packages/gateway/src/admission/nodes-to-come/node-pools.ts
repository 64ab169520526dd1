import type { KubeObject } from "@kindling/kube-objects";
import { type LabelValues, type NodeClass, oneValue, readResources, type Resources, sum } from "@kindling/admission";
import { findCondition } from "../../json/conditions.ts";
import { objectAt, objectsAt, textAt, textsOf } from "../../json/fields.ts";
import { labelsOfTemplate, taintsAt } from "./labels-of-class.ts";
import { lostPart, type NodeFacts, without } from "./node-facts.ts";

/** The label of NodeClaims and nodes that names their NodePool (Karpenter v1, `pkg/apis/v1/labels.go`). */
export const NODE_POOL_LABEL = "karpenter.sh/nodepool";

/**
 * What Karpenter may still add: a class for each NodePool, the one with the highest weight first, as Karpenter tries them.
 * The NodePool's NodeClaims count against its limit at once; its status shows them only seconds later.
 */
export function classesOfNodePools(
  pools: readonly KubeObject[],
  claims: readonly KubeObject[],
  facts: NodeFacts,
): NodeClass[] {
  return pools
    .filter((pool) => objectAt(pool, "spec")["replicas"] === undefined)
    .toSorted((a, b) => weightOf(b) - weightOf(a) || (a.metadata.name < b.metadata.name ? -1 : 1))
    .map((pool) => {
      const isOfPool = ({ metadata }: KubeObject): boolean => metadata.labels?.[NODE_POOL_LABEL] === pool.metadata.name;
      const nodes = facts.nodes.filter(isOfPool);
      return classOf(pool, claims.filter(isOfPool), nodes.length > 0 ? { ...facts, nodes } : facts);
    });
}

function classOf(pool: KubeObject, claims: readonly KubeObject[], facts: NodeFacts): NodeClass {
  const { name } = pool.metadata;
  const template = objectAt(pool, "spec", "template");
  const spec = objectAt(template, "spec");
  const labels = new Map([
    ...labelsOfTemplate(objectAt(template, "metadata", "labels"), objectsAt(spec, "requirements")),
    [NODE_POOL_LABEL, oneValue(name)] as const,
  ]);
  const lost = lostPart(facts);
  const largest = without(lost, largestNode(labels));
  const { nodes: mostNodes, ...most } = readResources(textsOf(objectAt(pool, "spec", "limits")));
  const used = usedOf(pool, claims);
  const left = Object.fromEntries(
    Object.entries(most).map(([resource, amount]) => [resource, Math.max(0, amount - (used[resource] ?? 0))]),
  );
  const limits = { limit: without(lost, most), left: without(lost, left) };
  return {
    ...{ name: `NodePool ${name}`, labels, taints: taintsAt(spec), largest, avoided: [] },
    ...(mostNodes === undefined ? limits : withMostNodes(limits, largest, mostNodes, used["nodes"] ?? claims.length)),
    unready: unreadyWords(pool),
  };
}

/** The larger of what the NodePool says it has, and of what its NodeClaims have. */
function usedOf(pool: KubeObject, claims: readonly KubeObject[]): Resources {
  const told = readResources(textsOf(objectAt(pool, "status", "resources")));
  const claimed = sum(claims.map(amountsOfClaim));
  const names = new Set([...Object.keys(told), ...Object.keys(claimed)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(told[name] ?? 0, claimed[name] ?? 0)]));
}

/** What a NodeClaim takes of the limit: its node's capacity, or before its launch what is asked for. */
function amountsOfClaim(claim: KubeObject): Resources {
  const capacity = readResources(textsOf(objectAt(claim, "status", "capacity")));
  const asked = readResources(textsOf(objectAt(claim, "spec", "resources", "requests")));
  return { ...asked, ...capacity, nodes: 1 };
}

/** A limit for the number of nodes limits each resource whose most on a node is known, and the pods if no node is left. */
function withMostNodes(
  { limit, left }: Pick<NodeClass, "limit" | "left">,
  largest: Resources,
  mostNodes: number,
  nodes: number,
): Pick<NodeClass, "limit" | "left"> {
  const nodesLeft = Math.max(0, mostNodes - nodes);
  const atMost = (amounts: Resources, count: number): Resources => ({
    ...amounts,
    ...Object.fromEntries(
      Object.entries(largest).map(([name, most]) => [name, Math.min(amounts[name] ?? Infinity, most * count)]),
    ),
  });
  if (nodesLeft > 0) return { limit: atMost(limit, mostNodes), left: atMost(left, nodesLeft) };
  return { limit: { ...atMost(limit, mostNodes), pods: mostNodes }, left: { ...atMost(left, 0), pods: 0 } };
}

/**
 * Labels of providers that say how large a node is: `karpenter.k8s.aws/instance-cpu`, `eks.amazonaws.com/instance-cpu` (EKS
 * Auto Mode), `karpenter.azure.com/sku-memory`.
 */
const SIZE_LABEL = /^(?:karpenter\.[^/]+|eks\.amazonaws\.com)\/(?:instance|sku)-(cpu|memory)$/;
const MEBIBYTE = 2 ** 20;

/** What the largest node can have, as far as the labels limit it. CPUs are whole there, and memory is in mebibytes. */
function largestNode(labels: ReadonlyMap<string, LabelValues>): Resources {
  const largest: Record<string, number> = {};
  for (const [label, values] of labels) {
    const [, resource] = SIZE_LABEL.exec(label) ?? [];
    const most = mostOf(values);
    if (resource === undefined || most === undefined) continue;
    const unit = resource === "cpu" ? 1000 : MEBIBYTE;
    largest[resource] = Math.min(largest[resource] ?? Infinity, most * unit);
  }
  return largest;
}

function mostOf({ isExcept, values, below }: LabelValues): number | undefined {
  if (isExcept) return below === undefined || !Number.isFinite(below) ? undefined : below - 1;
  const numbers = [...values].map(Number);
  return numbers.length > 0 && numbers.every(Number.isFinite) ? Math.max(...numbers) : undefined;
}

function weightOf(pool: KubeObject): number {
  const weight = objectAt(pool, "spec")["weight"];
  return typeof weight === "number" ? weight : 0;
}

function unreadyWords(pool: KubeObject): string | undefined {
  if (pool.metadata.deletionTimestamp !== undefined) return "it is being deleted";
  const ready = findCondition(pool, "Ready");
  if (ready === undefined || textAt(ready, "status") !== "False") return undefined;
  return textAt(ready, "message") ?? textAt(ready, "reason") ?? "it is not ready";
}
