import type { Placement } from "../placement.ts";
import type { PodShape } from "../pod-shape.ts";
import { add, multiply, NO_RESOURCES, type Resources } from "../resources.ts";
import { amountsOf, type Amounts } from "./tally.ts";

/** A pod's shape. All pods that ask for the same share one object. */
export interface Shape {
  readonly pod: PodShape;
  readonly amounts: Amounts;
}

/** A number of pods of one shape. */
export interface Batch {
  readonly shape: Shape;
  readonly count: number;
  /** Whether it is a driver: drivers stay longest, and are best placed beside each other. */
  readonly isDriver?: boolean | undefined;
}

/** Finds the one object for a shape. */
export type ShapeOf = (pod: PodShape) => Shape;

/** If the parts of a shape come in another order, there may be a second object for it: this costs only time. */
export function createShapes(): ShapeOf {
  const byText = new Map<string, Shape>();
  const placements = new Map<string, number>();
  // Most pods that ask for the same share one `PodShape` object, and computing its text takes longer than everything else for
  // a pod.
  const byPod = new Map<PodShape, Shape>();
  return (pod) => {
    const known = byPod.get(pod);
    if (known !== undefined) return known;
    const text = `${textOf(pod.requests)}/${textOf(pod.limits)}/${numberOf(placements, placementText(pod.placement))}`;
    const shape = byText.get(text) ?? { pod, amounts: amountsOf(pod.requests) };
    byText.set(text, shape);
    byPod.set(pod, shape);
    return shape;
  };
}

export function requestsOf(batches: readonly Batch[]): Resources {
  return batches.reduce((sum, { shape, count }) => add(sum, multiply(shape.pod.requests, count)), NO_RESOURCES);
}

function textOf(values: Readonly<Record<string, number | string>>): string {
  let text = "";
  // There are many pods and few names: `Object.entries` would cost more than everything else here.
  for (const name in values) text += `${name}=${values[name]},`;
  return text;
}

function placementText({ nodeSelector, nodeAffinity, tolerations }: Placement): string {
  const labels = textOf(nodeSelector);
  return nodeAffinity === undefined && tolerations.length === 0
    ? labels
    : JSON.stringify([labels, nodeAffinity, tolerations]);
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}
