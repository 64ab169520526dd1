import type { KubeObject } from "@kindling/kube-objects";
import { add, readResources, type Resources } from "@kindling/admission";
import { findCondition } from "../../json/conditions.ts";
import { objectAt, textAt, textsOf } from "../../json/fields.ts";

/** What is known of the nodes that are in the cluster, for what others of their kind will have. */
export interface NodeFacts {
  readonly nodes: readonly KubeObject[];
  /** What DaemonSets use on a node. */
  readonly daemonsOn: (node: string) => Resources;
}

/** The part of a node's capacity that no executor gets: what the node keeps for itself and what DaemonSets use. */
export type LostPart = (resource: string) => number;

/** Assumed as long as there is no node to measure. */
const USUAL_PART = 0.1;

/** The lost part, as the nodes show it. */
export function lostPart({ nodes, daemonsOn }: NodeFacts): LostPart {
  const total: Record<string, number> = {};
  const usable: Record<string, number> = {};
  for (const node of nodes) {
    const capacity = amountsIn(node, "capacity");
    const allocatable = amountsIn(node, "allocatable");
    const daemons = daemonsOn(node.metadata.name);
    for (const [name, amount] of Object.entries(capacity)) {
      if (allocatable[name] === undefined) continue;
      total[name] = (total[name] ?? 0) + amount;
      usable[name] = (usable[name] ?? 0) + Math.max(0, allocatable[name] - (daemons[name] ?? 0));
    }
  }
  return (name) => {
    const all = total[name] ?? 0;
    return all > 0 ? 1 - Math.min(1, (usable[name] ?? 0) / all) : USUAL_PART;
  };
}

/** What DaemonSets use on a node, on average. */
export function daemonsPerNode({ nodes, daemonsOn }: NodeFacts): Resources {
  if (nodes.length === 0) return {};
  let sum: Resources = {};
  for (const { metadata } of nodes) sum = add(sum, daemonsOn(metadata.name));
  return Object.fromEntries(Object.entries(sum).map(([name, amount]) => [name, Math.ceil(amount / nodes.length)]));
}

/** Amounts without the lost part. */
export function without(lost: LostPart, amounts: Resources): Resources {
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, Math.floor(amount * (1 - lost(name)))]),
  );
}

/** An amount of a node's status. */
export function amountsIn(object: KubeObject, what: "allocatable" | "capacity"): Resources {
  return readResources(textsOf(objectAt(object, "status", what)));
}

/** Whether a condition of an object has the status `True`; undefined if there is no such condition. */
export function conditionOf(object: KubeObject, type: string): boolean | undefined {
  const condition = findCondition(object, type);
  return condition && textAt(condition, "status") === "True";
}
