import type { KubeObject } from "@kindling/kube-objects";
import { multiply, type NodeClass, subtract } from "@kindling/admission";
import { parse } from "yaml";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { labelsOfNodes, taintsAt } from "./labels-of-class.ts";
import { amountsIn, daemonsPerNode, type NodeFacts } from "./node-facts.ts";

/** A node group, as the status of the cluster-autoscaler tells it. */
interface NodeGroup {
  readonly name: string;
  readonly most: number;
  /** How many nodes there are or will be. */
  readonly target: number;
  readonly unready: string | undefined;
}

/**
 * What the cluster-autoscaler may still add: a class for each node group that has a node now. The status says how
 * many nodes a group may have, and nothing about what a node is like; so a group from zero nodes on has to be written down by
 * the administrator.
 *
 * @param status the ConfigMap `cluster-autoscaler-status` (cluster-autoscaler 1.30 and later, `clusterstate/api/types.go`)
 */
export function classesOfNodeGroups(status: KubeObject | undefined, facts: NodeFacts): NodeClass[] {
  return groupsIn(status).flatMap((group) => {
    const nodes = nodesOfGroup(group.name, facts.nodes);
    const [first] = nodes;
    return first === undefined ? [] : classOf(group, first, { ...facts, nodes });
  });
}

function classOf({ name, most, target, unready }: NodeGroup, first: KubeObject, facts: NodeFacts): NodeClass {
  const ofNode = subtract(amountsIn(first, "allocatable"), daemonsPerNode(facts));
  const largest = Object.fromEntries(Object.entries(ofNode).filter(([, amount]) => amount > 0));
  return {
    name: `node group ${name.slice(name.lastIndexOf("/") + 1)}`,
    labels: labelsOfNodes(facts.nodes),
    taints: lastingTaints(first),
    largest,
    limit: multiply(largest, most),
    left: multiply(largest, Math.max(0, most - target)),
    avoided: [],
    unready,
  };
}

/** Taints that tell of a moment in the life of one node, and not of the group. */
const OF_A_MOMENT =
  /^node\.kubernetes\.io\/|^node\.cloudprovider\.kubernetes\.io\/|^ToBeDeletedByClusterAutoscaler$|^DeletionCandidateOfClusterAutoscaler$/;

function lastingTaints(node: KubeObject): NodeClass["taints"] {
  return taintsAt(node["spec"]).filter(({ key }) => !OF_A_MOMENT.test(key));
}

/** Labels by which clouds and installers name the group of a node. */
const GROUP_LABELS = [
  "eks.amazonaws.com/nodegroup",
  "alpha.eksctl.io/nodegroup-name",
  "cloud.google.com/gke-nodepool",
  "kubernetes.azure.com/agentpool",
  "agentpool",
  "kops.k8s.io/instancegroup",
  "node.kubernetes.io/instancegroup",
  "cluster.x-k8s.io/deployment-name",
  "node-group",
  "nodegroup",
  "nodepool",
];

/**
 * The nodes whose group has a name that is a part of this one: of `eks-spark-8ec1` those of the nodegroup `spark`. GKE has a
 * group for each zone, with the zone in its name.
 */
function nodesOfGroup(name: string, all: readonly KubeObject[]): KubeObject[] {
  const inZone = all.filter(({ metadata }) => isPartOf(name, metadata.labels?.["topology.kubernetes.io/zone"] ?? ""));
  const nodes = inZone.length > 0 ? inZone : all;
  const named = nodes.flatMap((node) => {
    const [part = ""] = GROUP_LABELS.flatMap((label) => node.metadata.labels?.[label] ?? [])
      .filter((value) => isPartOf(name, value))
      .toSorted((a, b) => b.length - a.length);
    return part === "" ? [] : [{ node, part }];
  });
  // Of `spark` and `spark-spot`, the longer one is meant by `eks-spark-spot-8ec1`.
  const longest = Math.max(0, ...named.map(({ part }) => part.length));
  return named.filter(({ part }) => part.length === longest).map(({ node }) => node);
}

function isPartOf(name: string, part: string): boolean {
  const at = name.indexOf(part);
  if (at < 0 || part === "") return false;
  const isEdge = (character: string | undefined): boolean => character === undefined || !/[A-Za-z0-9]/.test(character);
  return isEdge(name[at - 1]) && isEdge(name[at + part.length]);
}

function groupsIn(status: KubeObject | undefined): readonly NodeGroup[] {
  const told = statusIn(textAt(status, "data", "status") ?? "");
  return objectsAt(told, "nodeGroups").flatMap((group): NodeGroup[] => {
    const name = textAt(group, "name");
    const health = objectAt(group, "health");
    const { maxSize, cloudProviderTarget } = health;
    if (name === undefined || typeof maxSize !== "number") return [];
    const target = typeof cloudProviderTarget === "number" ? cloudProviderTarget : 0;
    return [{ name, most: maxSize, target, unready: unreadyWords(group) }];
  });
}

/** Empty if the text is not YAML: before 1.30 the status was text for people. */
function statusIn(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function unreadyWords(group: unknown): string | undefined {
  const scaleUp = objectAt(group, "scaleUp");
  if (textAt(scaleUp, "status") === "Backoff") {
    const info = objectAt(scaleUp, "backoffInfo");
    const why = textAt(info, "errorMessage") ?? textAt(info, "errorCode");
    return `the cluster-autoscaler waits after a failed attempt${why === undefined ? "" : `: ${why}`}`;
  }
  return textAt(group, "health", "status") === "Unhealthy" ? "the cluster-autoscaler finds it unhealthy" : undefined;
}
