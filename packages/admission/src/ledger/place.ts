import type { Capacity, ClusterNode } from "../capacity.ts";
import { mayBePlaced } from "../placement.ts";
import { subtract, type Resources } from "../resources.ts";
import type { Shape } from "./shape.ts";
import type { Tally } from "./tally.ts";

/** A node, or the whole of a configured capacity. */
export interface Place {
  readonly index: number;
  /** `undefined` if capacity is configured. */
  readonly node: ClusterNode | undefined;
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

/** Whether pods of the shape may be put here, if there is room. */
export function allows({ node }: Place, { pod }: Shape): boolean {
  return node === undefined || mayBePlaced(pod.placement, node);
}
