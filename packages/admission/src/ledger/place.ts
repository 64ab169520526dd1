import type { Capacity, ClusterNode } from "../capacity.ts";
import { mayBePlaced } from "../placement.ts";
import { subtract, type Resources } from "../resources.ts";
import type { Shape } from "./shape.ts";
import type { Tally } from "./tally.ts";

/** A node, or all of a configured capacity. */
export interface Place {
  readonly index: number;
  /** `undefined` where capacity is configured. */
  readonly node: ClusterNode | undefined;
  /** Whether new pods may be put here. */
  readonly open: boolean;
  /** How much there is of a resource that is not named. */
  readonly missing: number;
  /** What there is, whoever uses it. */
  readonly whole: Resources;
  /** What there is for applications. */
  readonly empty: Resources;
  /** What is left of that; below nothing where too much is used, or room is kept. */
  readonly free: Tally;
}

/** Some pods of one shape, and where they are. */
export interface PlacedPods {
  readonly place: Place;
  readonly shape: Shape;
  readonly count: number;
}

export function placesOf(capacity: Capacity, takesPods: (node: ClusterNode) => boolean): readonly Place[] {
  if (capacity.kind === "configured") {
    const { total } = capacity;
    const missing = Number.POSITIVE_INFINITY;
    return [{ index: 0, node: undefined, open: true, missing, whole: total, empty: total, free: { ...total } }];
  }
  return capacity.nodes.map((node, index) => {
    const empty = subtract(node.allocatable, node.usedByOthers);
    return { index, node, open: takesPods(node), missing: 0, whole: node.allocatable, empty, free: { ...empty } };
  });
}

/** Whether pods of the shape may be put here at all, room apart. */
export function allows({ node }: Place, { pod }: Shape): boolean {
  return node === undefined || mayBePlaced(pod.placement, node);
}
