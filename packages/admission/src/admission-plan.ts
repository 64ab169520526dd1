import type { ApplicationDemand } from "./application-demand.ts";
import type { Capacity } from "./capacity.ts";
import type { Queue } from "./queue.ts";
import type { NamespaceQuota } from "./quota.ts";
import type { Resources } from "./resources.ts";

/** All that the policy knows. */
export interface PolicySnapshot {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly capacity: Capacity;
  /** The root; without `queueFaults`. */
  readonly queues: Queue;
  readonly quotas: readonly NamespaceQuota[];
  readonly applications: readonly ApplicationDemand[];
}

export interface PolicySettings {
  /** Whether surplus executors are asked to leave, or deleted, for the sake of others. */
  readonly preemption: boolean;
  /** At most so many are asked to leave, or deleted, by one plan: the next one sees what came of it. */
  readonly mostDecommissioned: number;
  /**
   * How long room is kept for a start at first. After that none is kept for as long, so that applications that never end do
   * not leave room idle for its sake; then for twice as long, and so on in turn, each time twice as long.
   */
  readonly keepMs: number;
}

export const DEFAULT_POLICY_SETTINGS: PolicySettings = { preemption: true, mostDecommissioned: 100, keepMs: 600_000 };

/** What is to be done, in this order, and why the rest waits. */
export interface AdmissionPlan {
  readonly decisions: readonly Decision[];
  readonly waits: readonly Wait[];
}

export type Decision =
  /** Opens the driver's gate. Room for its minimum executors is kept from now on. */
  | { readonly kind: "start"; readonly application: string; readonly node: PlannedNode }
  /** Makes a virtual pod real. */
  | { readonly kind: "admit"; readonly application: string; readonly executor: string; readonly node: PlannedNode }
  /** Asks a running executor to leave, for the sake of another application: it can without loss. */
  | {
      readonly kind: "decommission";
      readonly application: string;
      readonly executor: string;
      readonly inFavourOf: string;
      readonly reason: DecommissionReason;
    }
  /** Deletes an executor that cannot leave without loss, or that never began to run. Only guarantees go so far. */
  | {
      readonly kind: "delete";
      readonly application: string;
      readonly executor: string;
      readonly inFavourOf: string;
      readonly reason: "guarantee";
    };

/**
 * The node that the plan counts on; `undefined` where capacity is configured. Room that is kept on nodes is safe only if the
 * pod is bound to go there, or at least prefers to.
 */
export type PlannedNode = string | undefined;

export type DecommissionReason =
  /** The other's queue has less than its guarantee. */
  | "guarantee"
  /** The other's queue, or within one queue the other application, has less than its share. */
  | "share"
  /** The other application has a higher priority in the same queue. */
  | "priority";

/** What of an application waits, and why. */
export interface Wait {
  readonly application: string;
  readonly queue: string;
  /** `start`: the driver with its minimum executors. `minimum`: executors that a started driver is owed. `surplus`: executors above that. */
  readonly what: WaitKind;
  /** How many executors wait. */
  readonly executors: number;
  /** What must be there together before anything goes on: all of a start, otherwise the next executor. */
  readonly needs: Resources;
  readonly reason: WaitReason;
  /** How many applications of its queue wait as well and are before it in the line. */
  readonly ahead: number;
  /** Whether there will be room when executors that were asked to leave are gone. */
  readonly roomToCome: boolean;
  /** Which other queues have the room, and why none of it can be had; who has most is first. Empty where others are not the reason. */
  readonly holders: readonly Holder[];
}

/** A queue that has more than it is guaranteed while others wait, and why nothing is taken from it. */
export interface Holder {
  /** The path. */
  readonly queue: string;
  /** What it has above its guarantee, of what is scarce. */
  readonly amounts: Resources;
  readonly why: HolderReason;
}

export type HolderReason =
  /** Preemption is off for all queues. */
  | "off"
  /** The queue says that its applications are not asked. */
  | "never"
  /** The queue says that its applications are asked only for what they can give without loss, and they can give nothing so. */
  | "graceful"
  /** The one who waits has its guarantee, and for more than that nobody is made to lose work. */
  | "loss"
  /** The queue has no more than is fair. */
  | "share"
  /** Its applications have no executors above their floor. */
  | "floor"
  /** Executors that are above the floor cannot be taken away one by one. */
  | "sets"
  /** What may be taken is not enough, or not where it is needed. */
  | "too-little";

export type WaitKind = "start" | "minimum" | "surplus";

export type WaitReason =
  /** There is less left than it needs. */
  | { readonly kind: "capacity"; readonly left: Resources }
  /** There is enough left in sum, but on no node, or not on enough nodes, that may hold the pods. */
  | { readonly kind: "fragments"; readonly left: Resources }
  /** There is enough left, but it is kept for applications whose turn is before. */
  | { readonly kind: "kept"; readonly inFavourOf: readonly string[] }
  /** The ceiling of this queue, its own or one above it; what is kept for others counts as used. */
  | { readonly kind: "ceiling"; readonly queue: string; readonly left: Resources }
  /** This ResourceQuota of its namespace, by the quota's keys; what is kept for others counts as used. */
  | { readonly kind: "quota"; readonly quota: string; readonly left: Resources }
  /** What it needs can be had only when pods of others, or a node that takes no pods now, are no longer in the way. */
  | { readonly kind: "outside"; readonly limit: Limit }
  /** It asks for more than there can ever be. */
  | { readonly kind: "never"; readonly limit: Limit }
  /** There is no queue of that path that applications can be in. */
  | { readonly kind: "no-queue" }
  /** Its namespace may not use the queue. */
  | { readonly kind: "not-allowed"; readonly mayUse: readonly string[] };

/** What limits an application: what the nodes or the configuration give, the ceiling of a queue, a quota of its namespace. */
export type Limit =
  | { readonly kind: "capacity" }
  | { readonly kind: "ceiling"; readonly queue: string }
  | { readonly kind: "quota"; readonly quota: string };
