import type { NamespaceRule, PriorityRange } from "@kindling/core-spec";
import type { ResourceLimits, Resources } from "./resources.ts";

/**
 * A queue, and the queues below it. Applications are only in queues without children. The root stands for the whole capacity;
 * its name is not part of a path.
 */
export interface Queue {
  readonly name: string;
  /** How much it gets compared with its siblings; default: 1. */
  readonly weight: number;
  /**
   * What it gets before its siblings get more than their guarantees. If nothing is set for a resource, it is the sum of its
   * children's guarantees.
   */
  readonly guarantee: Resources;
  /** The most that it can get. */
  readonly ceiling: ResourceLimits;
  /** The namespaces whose applications may use it and its children; default: all. */
  readonly namespaces?: NamespaceRule | undefined;
  /** The priorities that applications may have. */
  readonly priority?: PriorityRange | undefined;
  /** How many executors its running applications keep; default: as in the parent queue. */
  readonly floor?: QueueFloor | undefined;
  /** Which executors may be taken for other queues; default: as in the parent queue. */
  readonly preemption?: QueuePreemption | undefined;
  /** Which pods autoscalers must not move to empty a node; default: as in the parent queue. */
  readonly protect?: QueueProtection | undefined;
  /** How many of an application's executors may be on spot nodes; default: as in the parent queue. */
  readonly spot?: SpotRule | undefined;
  readonly children: readonly Queue[];
}

/** Which executors of an application run on spot nodes, and which on on-demand nodes. */
export interface SpotRule {
  /** The share of executors on spot nodes, from 0 to 1. */
  readonly share: number;
  /** What runs on on-demand nodes in any case. */
  readonly onDemand: readonly OnDemandPart[];
  /** Whether executors run on nodes of the other kind as long as no node of their kind can be had. */
  readonly fallback: boolean;
}

/** A part of an application that can be kept off spot nodes. */
export type OnDemandPart = "driver" | "minExecutors";

export function isOnDemandPart(name: unknown): name is OnDemandPart {
  return name === "driver" || name === "minExecutors";
}

/** A number of executors, at least one; or `minimum`: the number that each application needs for its start. */
export type QueueFloor = number | "minimum";

/**
 * What may be taken from the applications of a queue. `any`: executors that can leave without loss are asked first; for the
 * guarantee of another queue, other executors are deleted. `graceful`: only executors that can leave without loss. `never`:
 * none.
 */
export type QueuePreemption = "any" | "graceful" | "never";

/**
 * Which pods of a queue autoscalers must not move. `unmovable`: drivers, and executors that cannot move their blocks before
 * they end. `all`: all executors, too.
 */
export type QueueProtection = "none" | "drivers" | "unmovable" | "all";

/** The default if no queue sets it. */
export const DEFAULT_PROTECTION: QueueProtection = "unmovable";
export const DEFAULT_FLOOR: QueueFloor = 1;
export const DEFAULT_PREEMPTION: QueuePreemption = "any";

/** The path of a queue without the root, such as `etl.daily`; applications name their queue by it. */
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

/** The guarantee of a queue: as configured, or else the sum of its children's guarantees. */
export function effectiveGuarantee({ guarantee, children }: Queue): Resources {
  return { ...guaranteeOfChildren(children), ...guarantee };
}

/** The sum of the queues' guarantees. */
export function guaranteeOfChildren(children: readonly Queue[]): Resources {
  const total: Record<string, number> = {};
  for (const child of children) {
    for (const [name, amount] of Object.entries(effectiveGuarantee(child))) total[name] = (total[name] ?? 0) + amount;
  }
  return total;
}
