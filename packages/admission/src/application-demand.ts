import type { QueueRefusal } from "./queue-access.ts";
import type { PodShape } from "./pod-shape.ts";

/** An application, as far as the policy has to do with it. */
export interface ApplicationDemand {
  /** Unique among all applications. */
  readonly id: string;
  readonly namespace: string;
  /** The path of its queue, see `queuePath`. */
  readonly queue: string;
  /** Set if its namespace may not use that queue: then nothing of it is decided on, and nothing counts in the queue. */
  readonly refusal?: QueueRefusal | undefined;
  /** Within its queue a higher one goes first. */
  readonly priority: number;
  /** When it came, in milliseconds since the epoch. */
  readonly since: number;
  /** It goes behind those that came up to so many milliseconds later; 0 if nothing is said. */
  readonly behindMs?: number | undefined;
  readonly driver: DriverDemand;
  readonly minimum: MinimumExecutors;
  /** Those that are not decided on, in the order in which the driver asked. */
  readonly waiting: readonly WaitingExecutor[];
  /** How many more wait than those in `waiting`: they have their turn when some of those do not wait any more. */
  readonly unlisted?: number | undefined;
  /** Those that are decided on, and not gone yet. */
  readonly present: readonly PresentExecutor[];
}

export interface DriverDemand {
  readonly pod: PodShape;
  /** `gated`: held by a scheduling gate. `started`: the gate is open, or it never had one. */
  readonly state: "gated" | "started";
  /** Whether a gate was opened for it: its minimum was promised then, and comes before what others are owed. */
  readonly promised: boolean;
  /** Where it is; `undefined` while it is on no node. */
  readonly node: string | undefined;
}

export interface MinimumExecutors {
  /**
   * How many executors the application cannot start without. The policy takes 0 for 1: drivers that hold all there is, and
   * have no executor, would wait for one another for ever.
   */
  readonly count: number;
  /** What each of them asks for, as far as one can tell before the driver asks. */
  readonly pod: PodShape;
  /** Whether they have all been there: from then on the application is owed the floor of its queue, and no more. */
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
   * `admitted`: decided on, but not seen in the cluster; no quota counts it yet. `pending` and `running`: its pod is there.
   * `leaving`: it was asked to leave, and still has its room.
   */
  readonly state: "admitted" | "pending" | "running" | "leaving";
  /** Where it is; `undefined` while it is on no node. */
  readonly node: string | undefined;
  /** When it began to run, in milliseconds since the epoch; `undefined` before that. */
  readonly began: number | undefined;
  readonly leave: Leave;
}

/**
 * How an executor that runs can be taken away. `graceful`: it is decommissioned, and its application loses no work.
 * `deletion`: only by deleting its pod, so that tasks and blocks are lost and made again. `never`: not by itself, such as
 * one of a StatefulSet, which would make it again at once.
 */
export type Leave = "graceful" | "deletion" | "never";

/** How many executors the application cannot start without: at least one. */
export function minimumCount({ minimum }: ApplicationDemand): number {
  return Math.max(1, minimum.count);
}

/** How many executors wait. */
export function waitingCount({ waiting, unlisted = 0 }: ApplicationDemand): number {
  return waiting.length + unlisted;
}

/** Higher priority first, then who came first; the id settles the rest. */
export function inTurn(a: ApplicationDemand, b: ApplicationDemand): number {
  return b.priority - a.priority || byAge(a, b);
}

/** Who came first; the id settles the rest. */
export function byAge(a: ApplicationDemand, b: ApplicationDemand): number {
  return turnOf(a) - turnOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function turnOf({ since, behindMs = 0 }: ApplicationDemand): number {
  return since + behindMs;
}
