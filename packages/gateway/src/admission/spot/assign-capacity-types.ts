import { type CapacityType, nextCapacityType, type SpotRule } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import type { RequestedExecutor } from "../demand/application-demand.ts";
import { capacityTypeOf, withCapacityType } from "./capacity-type.ts";

export interface AssignCapacityTypesOptions {
  readonly rule: SpotRule;
  /** How many executors the application needs for its start. */
  readonly minimum: number;
  /** Whether a pod can have a node of its kind at present: one that is there, or that may come. */
  readonly mayHaveNode: (pod: KubeObject) => boolean;
}

/** Executors with their kinds of nodes, by the names of those that wait. */
export interface Assigned {
  readonly executors: readonly RequestedExecutor[];
  readonly types: ReadonlyMap<string, CapacityType>;
}

/**
 * Chooses the kinds of nodes for the executors that wait, by those that are there. They are served in this order, so the mix
 * is right however many of them are admitted. If no node of the right kind can be had, the other kind is taken.
 */
export function assignCapacityTypes(
  executors: readonly RequestedExecutor[],
  { rule, minimum, mayHaveNode }: AssignCapacityTypesOptions,
): Assigned {
  const mix = { spot: 0, "on-demand": 0 };
  for (const { kind, pod } of executors)
    if (kind !== "waiting" && pod.metadata.deletionTimestamp === undefined)
      mix[capacityTypeOf(pod) ?? "on-demand"] += 1;
  const canHave = new Map<CapacityType, boolean>();
  const obtainable = (pod: KubeObject, type: CapacityType): boolean => {
    if (!rule.fallback) return true;
    const known = canHave.get(type) ?? mayHaveNode(typed(pod, type));
    canHave.set(type, known);
    return known;
  };
  const types = new Map<string, CapacityType>();
  const assigned = executors.map((executor): RequestedExecutor => {
    if (executor.kind !== "waiting") return executor;
    const { name, pod } = executor;
    const wanted = nextCapacityType(rule, mix, minimum);
    const other = wanted === "spot" ? "on-demand" : "spot";
    const type = obtainable(pod, wanted) || !obtainable(pod, other) ? wanted : other;
    mix[type] += 1;
    types.set(name, type);
    return { ...executor, pod: typed(pod, type) };
  });
  return { executors: assigned, types };
}

/** There are many plans, and a request does not change in between. */
const TYPED: Readonly<Record<CapacityType, WeakMap<KubeObject, KubeObject>>> = {
  spot: new WeakMap(),
  "on-demand": new WeakMap(),
};

function typed(pod: KubeObject, type: CapacityType): KubeObject {
  const known = TYPED[type].get(pod);
  if (known !== undefined) return known;
  const made = withCapacityType(pod, type);
  TYPED[type].set(pod, made);
  return made;
}
