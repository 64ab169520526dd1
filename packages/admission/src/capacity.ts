import type { Node, Taint } from "kubernetes-types/core/v1.js";
import type { NodeClass } from "./nodes-to-come/node-class.ts";
import type { PlacementTarget } from "./placement.ts";
import { readResources, type Resources } from "./resources.ts";

/** The capacity for drivers and executors. */
export type Capacity =
  /**
   * A configured sum, for a cluster with changing nodes: the nodes are ignored. Resources that it does not name are not
   * limited.
   */
  | { readonly kind: "configured"; readonly total: Resources }
  /** Room is searched node by node, in this order, and then in the classes of nodes that may still come. */
  | {
      readonly kind: "nodes";
      readonly nodes: readonly ClusterNode[];
      readonly classes?: readonly NodeClass[] | undefined;
    };

export interface ClusterNode extends PlacementTarget {
  readonly allocatable: Resources;
  /** What is used by pods that are not drivers or executors of a known application. */
  readonly usedByOthers: Resources;
  readonly unschedulable: boolean;
  /** Until this time, in milliseconds since the epoch, the node gets no new pods; see `nodeBackoffs`. */
  readonly backoffUntil: number | undefined;
  /** Whether the node has been ordered, but is not in the cluster yet. Pods cannot prefer it. */
  readonly isComing?: boolean | undefined;
}

/** The part of a node that the policy needs. `usedByOthers` and `backoffUntil` are not in the node object. */
export function clusterNode(
  { metadata, spec, status }: Node,
  { usedByOthers, backoffUntil }: Pick<ClusterNode, "usedByOthers" | "backoffUntil">,
): ClusterNode {
  const taints: readonly Taint[] = spec?.taints ?? [];
  return {
    name: metadata?.name ?? "",
    labels: metadata?.labels ?? {},
    taints,
    allocatable: readResources(status?.allocatable),
    usedByOthers,
    unschedulable: spec?.unschedulable ?? false,
    backoffUntil,
  };
}

/** Whether the node accepts new pods at this time. */
export function takesPods({ unschedulable, backoffUntil }: ClusterNode, now: number): boolean {
  return !unschedulable && (backoffUntil === undefined || backoffUntil <= now);
}
