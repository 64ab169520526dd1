import type { Node, Taint } from "kubernetes-types/core/v1.js";
import type { PlacementTarget } from "./placement.ts";
import { readResources, type Resources } from "./resources.ts";

/** What there is for drivers and executors. */
export type Capacity =
  /** Told by the configuration, for a cluster whose nodes come and go: a sum, without a look at nodes. What it does not name is not limited. */
  | { readonly kind: "configured"; readonly total: Resources }
  /** Room is looked for node by node, in this order. */
  | { readonly kind: "nodes"; readonly nodes: readonly ClusterNode[] };

export interface ClusterNode extends PlacementTarget {
  readonly allocatable: Resources;
  /** What pods use that are no driver and no executor of a known application. */
  readonly usedByOthers: Resources;
  readonly unschedulable: boolean;
  /** Milliseconds since the epoch; until then the node gets no new pods, see `nodeBackoffs`. */
  readonly backoffUntil: number | undefined;
}

/** Of a node what the policy needs. `usedByOthers` and `backoffUntil` are not written in it. */
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

/** Whether the node takes new pods at this time. */
export function takesPods({ unschedulable, backoffUntil }: ClusterNode, now: number): boolean {
  return !unschedulable && (backoffUntil === undefined || backoffUntil <= now);
}
