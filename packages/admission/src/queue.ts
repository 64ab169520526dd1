import type { NamespaceRule, PriorityRange } from "@kindling/core-spec";
import type { ResourceLimits, Resources } from "./resources.ts";

/**
 * A queue, and those below it. Applications are in queues without children. The root stands for all there is; its name is
 * not part of a path.
 */
export interface Queue {
  readonly name: string;
  /** How much it gets compared with its siblings; 1 where nothing is said. */
  readonly weight: number;
  /** What it gets before its siblings get more than theirs. A queue that states none for a resource has the sum of its children's. */
  readonly guarantee: Resources;
  /** What it never gets more of. */
  readonly ceiling: ResourceLimits;
  /** Whose applications may be in it and in those below it; all, if nothing is said. */
  readonly namespaces?: NamespaceRule | undefined;
  /** What priorities they may have. */
  readonly priority?: PriorityRange | undefined;
  /** How many executors are left to its running applications; where nothing is said, as in the queue above it. */
  readonly floor?: QueueFloor | undefined;
  /** Whose executors may be taken for other queues; where nothing is said, as in the queue above it. */
  readonly preemption?: QueuePreemption | undefined;
  readonly children: readonly Queue[];
}

/** So many executors, at least one; or `minimum`: what each application needs for its start. */
export type QueueFloor = number | "minimum";

/**
 * What may be asked of the applications of a queue. `any`: executors that can leave without loss are asked first, and for the
 * guarantee of another queue others are deleted. `graceful`: only executors that can leave without loss. `never`: none.
 */
export type QueuePreemption = "any" | "graceful" | "never";

/** Where no queue says anything. */
export const DEFAULT_FLOOR: QueueFloor = 1;
export const DEFAULT_PREEMPTION: QueuePreemption = "any";

/** The path of a queue from below the root, such as `etl.daily`; applications name their queue by it. */
export function queuePath(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** The paths of the queues that applications can be in. */
export function leafQueues(root: Queue): readonly string[] {
  return pathsOfLeaves(root, "");
}

function pathsOfLeaves({ children }: Queue, path: string): readonly string[] {
  return children.flatMap((child) => {
    const childPath = queuePath(path, child.name);
    return child.children.length === 0 ? [childPath] : pathsOfLeaves(child, childPath);
  });
}

/** What a queue guarantees: as stated, or else the sum of what its children do. */
export function effectiveGuarantee({ guarantee, children }: Queue): Resources {
  return { ...guaranteeOfChildren(children), ...guarantee };
}

/** The sum of what the queues guarantee. */
export function guaranteeOfChildren(children: readonly Queue[]): Resources {
  const total: Record<string, number> = {};
  for (const child of children) {
    for (const [name, amount] of Object.entries(effectiveGuarantee(child))) total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}
