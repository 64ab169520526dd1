import type { Taint } from "kubernetes-types/core/v1.js";
import type { PodShape } from "../pod-shape.ts";
import type { ResourceLimits, Resources } from "../resources.ts";
import { type LabelValues, permits } from "./label-values.ts";

/** Nodes that an autoscaler may still add: a NodePool of Karpenter's, a node group, or a class that the administrator wrote. */
export interface NodeClass {
  /** For people: `NodePool spark`. */
  readonly name: string;
  /** The labels that its nodes will have. A label that is not named here is missing on its nodes; see `isOpenLabel`. */
  readonly labels: ReadonlyMap<string, LabelValues>;
  /** The taints that its nodes keep. Taints that go away when a node is ready do not count. */
  readonly taints: readonly Taint[];
  /** What a pod can have at most on one of its nodes. A resource that is not named is not known. */
  readonly largest: ResourceLimits;
  /** What all of its nodes may have together. A resource that is not named is not limited. */
  readonly limit: ResourceLimits;
  /** The part of the limit that is left for pods on new nodes. It has the same names. */
  readonly left: ResourceLimits;
  /** Pods for which no node came lately. No new node is expected for such pods. */
  readonly avoided: readonly Avoidance[];
  /** Why the autoscaler adds none of its nodes now, in words of the autoscaler. */
  readonly unready?: string | undefined;
}

/** Pods for which no node of a class is expected for a time: those with the same placement, and with at least these requests. */
export interface Avoidance {
  readonly pod: Pick<PodShape, "placement" | "requests">;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** Whether a node with these labels may be one of the class. */
export function isOfClass(node: Readonly<Record<string, string>>, { labels }: Pick<NodeClass, "labels">): boolean {
  return [...labels].every(([label, values]) => {
    const value = node[label];
    return value === undefined ? values.isExcept : permits(values, value);
  });
}

/**
 * What a pod takes of the class. If a node holds two such pods and no third, each pod takes half of a node: the rest of the
 * node counts for the limit, too.
 */
export function partOfNode(requests: Resources, { largest, limit }: Pick<NodeClass, "largest" | "limit">): Resources {
  const counts = Object.entries(requests).flatMap(([name, amount]) => {
    const most = largest[name];
    return most === undefined || amount <= 0 ? [] : [Math.floor(most / amount)];
  });
  const onOneNode = Math.min(...counts);
  if (onOneNode < 1 || onOneNode === Number.POSITIVE_INFINITY) return requests;
  return Object.fromEntries(
    Object.entries(requests).map(([name, amount]) => {
      const most = limit[name] === undefined ? undefined : largest[name];
      return [name, most === undefined ? amount : Math.max(amount, Math.ceil(most / onOneNode))];
    }),
  );
}
