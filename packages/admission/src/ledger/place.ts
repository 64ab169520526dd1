import { type Capacity, type ClusterNode, takesPods } from "../capacity.ts";
import { classRefusal } from "../nodes-to-come/class-refusal.ts";
import { type NodeClass, partOfNode } from "../nodes-to-come/node-class.ts";
import { mayBePlaced } from "../placement.ts";
import { subtract, type Resources } from "../resources.ts";
import type { Shape } from "./shape.ts";
import { type Amounts, amountsOf, type Tally } from "./tally.ts";

/** Where pods can be: everywhere, if the capacity is configured; on a node; or on nodes of a class that may still come. */
export type Site =
  | { readonly kind: "everywhere" }
  | { readonly kind: "node"; readonly node: ClusterNode }
  | { readonly kind: "class"; readonly nodeClass: NodeClass };

/** A site with what is used there. */
export interface Place {
  /** The place in the order in which room is searched. */
  index: number;
  readonly site: Site;
  /** Whether new pods may be put here. */
  readonly open: boolean;
  /** The amount of a resource that is not named. */
  readonly missing: number;
  /** The total, including what others use. */
  readonly whole: Resources;
  /** The part that applications can use. */
  readonly empty: Resources;
  /** What is left of `empty`; negative if too much is used, or if room is kept. */
  readonly free: Tally;
}

/** A number of pods of one shape, and their place. */
export interface PlacedPods {
  readonly place: Place;
  readonly shape: Shape;
  readonly count: number;
  readonly isDriver?: boolean | undefined;
}

export function placesOf(capacity: Capacity, now: number): readonly Place[] {
  const unlimited = Number.POSITIVE_INFINITY;
  if (capacity.kind === "configured") {
    const { total } = capacity;
    const site = { kind: "everywhere" } as const;
    return [{ index: 0, site, open: true, missing: unlimited, whole: total, empty: total, free: { ...total } }];
  }
  const { nodes, classes = [] } = capacity;
  return [
    ...nodes.map((node, index): Place => {
      const empty = subtract(node.allocatable, node.usedByOthers);
      const whole = node.allocatable;
      const site = { kind: "node", node } as const;
      return { index, site, open: takesPods(node, now), missing: 0, whole, empty, free: { ...empty } };
    }),
    ...classes.map((nodeClass, position): Place => {
      const { limit: whole, left: empty } = nodeClass;
      const site = { kind: "class", nodeClass } as const;
      const index = nodes.length + position;
      const open = nodeClass.unready === undefined;
      return { index, site, open, missing: unlimited, whole, empty, free: { ...empty } };
    }),
  ];
}

/** The name of the node; `undefined` if the place is not a node, or if the node is not in the cluster yet. */
export function nodeIn({ site }: Place): string | undefined {
  return site.kind === "node" && site.node.isComing !== true ? site.node.name : undefined;
}

/** Whether pods of the shape may be put here, if there is room. */
export function allows({ site }: Place, shape: Shape): boolean {
  switch (site.kind) {
    case "everywhere":
      return true;
    case "node":
      return mayBePlaced(shape.pod.placement, site.node);
    case "class":
      return factsOf(site.nodeClass, shape).isAllowed;
  }
}

/** What a pod of the shape takes of the place: in a class, its part of a whole node. */
export function costIn({ site }: Place, shape: Shape): Amounts {
  return site.kind === "class" ? factsOf(site.nodeClass, shape).cost : shape.amounts;
}

/** What a class means for pods of one shape: there are many pods and few shapes. */
interface ClassFacts {
  readonly isAllowed: boolean;
  readonly cost: Amounts;
}

const FACTS = new WeakMap<NodeClass, WeakMap<Shape, ClassFacts>>();

function factsOf(nodeClass: NodeClass, shape: Shape): ClassFacts {
  const ofClass = FACTS.get(nodeClass) ?? new WeakMap<Shape, ClassFacts>();
  FACTS.set(nodeClass, ofClass);
  const known = ofClass.get(shape);
  if (known !== undefined) return known;
  const facts = {
    isAllowed: classRefusal(shape.pod, nodeClass) === undefined,
    cost: amountsOf(partOfNode(shape.pod.requests, nodeClass)),
  };
  ofClass.set(shape, facts);
  return facts;
}
