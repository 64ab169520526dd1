import type { QueueRefusal } from "./queue-access.ts";
import type { PodShape } from "./pod-shape.ts";

/** The facts about an application that the policy needs. */
export interface ApplicationDemand {
  /** Unique among all applications. */
  readonly id: string;
  readonly namespace: string;
  /** The path of its queue, see `queuePath`. */
  readonly queue: string;
  /** Set if its namespace may not use that queue: then nothing is decided about it, and it does not count in the queue. */
  readonly refusal?: QueueRefusal | undefined;
  /** Within its queue, a higher priority goes first. */
  readonly priority: number;
  /** When the application came, in milliseconds since the epoch. */
  readonly since: number;
  /** It goes behind applications that came up to so many milliseconds later; default: 0. */
  readonly behindMs?: number | undefined;
  readonly driver: DriverDemand;
  readonly minimum: MinimumExecutors;
  /** Executors that are not decided yet, in the order in which the driver asked for them. */
  readonly waiting: readonly WaitingExecutor[];
  /** How many more executors wait than those in `waiting`. They get their turn when some of `waiting` do not wait any more. */
  readonly unlisted?: number | undefined;
  /** Whether no executor is admitted before those that were asked for earlier. */
  readonly inOrder?: boolean | undefined;
  /** Executors that are admitted, and not gone yet. */
  readonly present: readonly PresentExecutor[];
  /** Pods of executors that have ended, which stay for their shuffle files. They count, and are never taken away here. */
  readonly keepers?: readonly KeptPod[] | undefined;
}

/** What is left of an executor that has ended. */
export interface KeptPod {
  readonly pod: PodShape;
  readonly node: string | undefined;
}

export interface DriverDemand {
  readonly pod: PodShape;
  /** `gated`: held back by a scheduling gate. `started`: the gate is open, or it never had one. */
  readonly state: "gated" | "started";
  /**
   * Whether its gate was opened by the gateway. At that time its minimum executors were promised, and these come before other
   * minimum executors.
   */
  readonly promised: boolean;
  /** Its node; `undefined` while it has none. */
  readonly node: string | undefined;
}

export interface MinimumExecutors {
  /**
   * How many executors the application needs for its start. The policy treats 0 as 1: otherwise drivers could take all the
   * room, and wait for each other for ever without any executor.
   */
  readonly count: number;
  /** What each of them will ask for, as far as it is known before the driver asks. */
  readonly pod: PodShape;
  /**
   * Whether all of them have been there at some time. After that, the application is entitled only to the floor of its queue.
   */
  readonly reached: boolean;
}

export interface WaitingExecutor {
  /** Unique within the application. */
  readonly id: string;
  readonly pod: PodShape;
}

export interface PresentExecutor {
  readonly id: string;
  readonly pod: PodShape;
  /**
   * `admitted`: admitted, but not seen in the cluster; no quota counts it yet. `pending` and `running`: its pod is there.
   * `leaving`: it was asked to leave, but still uses its room.
   */
  readonly state: "admitted" | "pending" | "running" | "leaving";
  /** Its node; `undefined` while it has none. */
  readonly node: string | undefined;
  /** When it began to run, in milliseconds since the epoch; `undefined` before that. */
  readonly began: number | undefined;
  /** When its pod was created, in milliseconds since the epoch; `undefined` if that is not known. */
  readonly created?: number | undefined;
  readonly leave: Leave;
}

/**
 * How a running executor can be taken away. `graceful`: it is decommissioned, and its application loses no work. `deletion`:
 * only by deleting its pod, so that tasks and blocks are lost and computed again. `never`: not alone; for example an executor
 * of a StatefulSet, which would create it again at once.
 */
export type Leave = "graceful" | "deletion" | "never";

/** How many executors the application needs for its start: at least one. */
export function minimumCount({ minimum }: ApplicationDemand): number {
  return Math.max(1, minimum.count);
}

/** How many executors wait. */
export function waitingCount({ waiting, unlisted = 0 }: ApplicationDemand): number {
  return waiting.length + unlisted;
}

/** Higher priority first, then the earlier application; then by id. */
export function inTurn(a: ApplicationDemand, b: ApplicationDemand): number {
  return b.priority - a.priority || byAge(a, b);
}

/** The earlier application first; then by id. */
export function byAge(a: ApplicationDemand, b: ApplicationDemand): number {
  return turnOf(a) - turnOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function turnOf({ since, behindMs = 0 }: ApplicationDemand): number {
  return since + behindMs;
}
