import type { ApplicationDemand } from "./application-demand.ts";
import type { Capacity } from "./capacity.ts";
import type { ClassRefusal } from "./nodes-to-come/class-refusal.ts";
import type { Queue } from "./queue.ts";
import type { NamespaceQuota } from "./quota.ts";
import type { Resources } from "./resources.ts";

/** Everything that the policy knows. */
export interface PolicySnapshot {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly capacity: Capacity;
  /** The root of the queues; `queueFaults` must find nothing wrong with it. */
  readonly queues: Queue;
  readonly quotas: readonly NamespaceQuota[];
  readonly applications: readonly ApplicationDemand[];
}

export interface PolicySettings {
  /** Whether surplus executors are asked to leave, or deleted, to make room for others. */
  readonly preemption: boolean;
  /** How many executors one plan asks to leave, or deletes, at most. The next plan sees the result. */
  readonly mostDecommissioned: number;
  /**
   * How long room is kept for a start at first. After that, no room is kept for the same time, so that room is not idle for
   * ever if other applications never end. Then room is kept again, and not kept again, each time twice as long as before.
   */
  readonly keepMs: number;
}

export const DEFAULT_POLICY_SETTINGS: PolicySettings = { preemption: true, mostDecommissioned: 100, keepMs: 600_000 };

/** What to do, in this order, and why the rest waits. */
export interface AdmissionPlan {
  readonly decisions: readonly Decision[];
  readonly waits: readonly Wait[];
}

export type Decision =
  /** Open the driver's gate. Room for its minimum executors is kept from now on. */
  | { readonly kind: "start"; readonly application: string; readonly node: PlannedNode }
  /** Create the real pod of a virtual one. */
  | { readonly kind: "admit"; readonly application: string; readonly executor: string; readonly node: PlannedNode }
  /** Ask a running executor to leave, to make room for another application. It can leave without loss. */
  | {
      readonly kind: "decommission";
      readonly application: string;
      readonly executor: string;
      readonly inFavourOf: string;
      readonly reason: DecommissionReason;
    }
  /** Delete an executor that cannot leave without loss, or that never began to run. This is done only for guarantees. */
  | {
      readonly kind: "delete";
      readonly application: string;
      readonly executor: string;
      readonly inFavourOf: string;
      readonly reason: "guarantee";
    };

/**
 * The node in the plan; `undefined` if capacity is configured. Room that is kept on nodes is safe only if the pod must run on
 * this node, or at least prefers it.
 */
export type PlannedNode = string | undefined;

export type DecommissionReason =
  /** The other's queue has less than its guarantee. */
  | "guarantee"
  /** The other's queue, or within one queue the other application, has less than its share. */
  | "share"
  /** The other application has a higher priority in the same queue. */
  | "priority";

/** A part of an application that waits, and why. */
export interface Wait {
  readonly application: string;
  readonly queue: string;
  /**
   * `start`: the driver with its minimum executors. `minimum`: executors that a started driver must still get. `surplus`:
   * executors above that.
   */
  readonly what: WaitKind;
  /** How many executors wait. */
  readonly executors: number;
  /** What must be available together: everything for a start, otherwise the next executor. */
  readonly needs: Resources;
  readonly reason: WaitReason;
  /** How many other applications of its queue wait before it. */
  readonly ahead: number;
  /** Whether there will be room when executors that were asked to leave are gone. */
  readonly roomToCome: boolean;
  /**
   * Which other queues have the room, and why it cannot be taken from them; the queue with most is first. Empty if other
   * queues are not the reason.
   */
  readonly holders: readonly Holder[];
  /** Why no class of nodes that may still come takes the pod; empty if there are no classes, or if room is not the reason. */
  readonly classes: readonly RefusingClass[];
}

/** A class of nodes that does not take a pod that waits. */
export interface RefusingClass {
  readonly name: string;
  readonly refusal: ClassRefusal;
}

/** A queue that has more than its guarantee while others wait, and why nothing is taken from it. */
export interface Holder {
  /** The path. */
  readonly queue: string;
  /** What it has above its guarantee, of the scarce resources. */
  readonly amounts: Resources;
  readonly why: HolderReason;
}

export type HolderReason =
  /** Preemption is off for all queues. */
  | "off"
  /** The queue is set so that its applications are not asked. */
  | "never"
  /** The queue is set so that its applications are asked only for executors that can leave without loss, and there are none. */
  | "graceful"
  /** The waiting application already has its guarantee, and for more than that no other application must lose work. */
  | "loss"
  /** The queue has no more than its fair share. */
  | "share"
  /** Its applications have no executors above their floor. */
  | "floor"
  /** The executors above the floor cannot be taken away one by one. */
  | "sets"
  /** The executors that may be taken are not enough, or not where room is needed. */
  | "too-little";

export type WaitKind = "start" | "minimum" | "surplus";

export type WaitReason =
  /** Less is left than it needs. */
  | { readonly kind: "capacity"; readonly left: Resources }
  /** Enough is left in sum, but not on single nodes on which the pods may run. */
  | { readonly kind: "fragments"; readonly left: Resources }
  /** Enough is left, but it is kept for applications that come first. */
  | { readonly kind: "kept"; readonly inFavourOf: readonly string[] }
  /** The ceiling of this queue (its own queue or a parent); what is kept for others counts as used. */
  | { readonly kind: "ceiling"; readonly queue: string; readonly left: Resources }
  /** This ResourceQuota of its namespace, with the quota's keys; what is kept for others counts as used. */
  | { readonly kind: "quota"; readonly quota: string; readonly left: Resources }
  /** It can get what it needs only when pods of others are gone, or when a node accepts pods again. */
  | { readonly kind: "outside"; readonly limit: Limit }
  /** It needs more than there can ever be. */
  | { readonly kind: "never"; readonly limit: Limit }
  /** There is no queue with this path for applications. */
  | { readonly kind: "no-queue" }
  /** Its namespace may not use the queue. */
  | { readonly kind: "not-allowed"; readonly mayUse: readonly string[] };

/**
 * What limits an application: the capacity of the nodes or the configuration, the ceiling of a queue, or a quota of its
 * namespace.
 */
export type Limit =
  | { readonly kind: "capacity" }
  | { readonly kind: "ceiling"; readonly queue: string }
  | { readonly kind: "quota"; readonly quota: string };
