import type { PriorityRange } from "@kindling/core-spec";
import type { Amounts } from "./amounts.ts";

/**
 * What there is and who waits for what, at one moment: for web pages and the command line. It is plain data that goes
 * through JSON unharmed. Times are milliseconds since the epoch.
 */
export interface Overview {
  readonly at: number;
  readonly capacity: CapacityOverview;
  /** All queues; one comes before those below it. */
  readonly queues: readonly QueueOverview[];
  /** What is wrong with the queues, in sentences for people: such as that their file is refused. */
  readonly queueFaults: readonly string[];
  /** Those that have not ended, in the order in which they came. */
  readonly applications: readonly ApplicationOverview[];
}

export interface CapacityOverview {
  /** `unlimited`: nothing is counted, and `total` is empty. */
  readonly kind: "nodes" | "configured" | "unlimited";
  /** How many nodes take pods; 0 unless the room of nodes counts. */
  readonly nodes: number;
  readonly total: Amounts;
  /** By drivers and executors of the applications. */
  readonly used: Amounts;
  /** By all other pods. */
  readonly usedByOthers: Amounts;
}

export interface QueueOverview {
  /** As applications name it, such as `etl.daily`. */
  readonly path: string;
  /** The path of the queue that it is in; empty on the highest level. */
  readonly parent: string;
  readonly weight: number;
  /** As stated. */
  readonly guarantee: Amounts;
  /** A resource that is missing has no ceiling. */
  readonly ceiling: Amounts;
  /** Whose applications may be in it, as `etl, team-*` or `team=etl`; missing where all may. Those above it count as well. */
  readonly namespaces?: string;
  /** What priorities they may have; missing where nothing is said. */
  readonly priority?: PriorityRange;
  /** Here and in the queues below, as are the numbers. */
  readonly used: Amounts;
  /** Used for the total, of the resource of which it is most. */
  readonly share: number;
  readonly applications: Readonly<Record<ApplicationState, number>>;
  readonly waitingExecutors: number;
}

/**
 * The words of `kubectl get pods` and `kindling list` for its driver. `SchedulingGated`: it is held back. `Pending`: it may
 * start, and does not run yet.
 */
export type ApplicationState = "SchedulingGated" | "Pending" | "Running";

export interface ApplicationOverview {
  readonly namespace: string;
  /** As in the label `spark-app-selector`. */
  readonly id: string;
  /** The application's name, or else its id. */
  readonly name: string;
  readonly driver: DriverOverview;
  readonly queue: string;
  readonly priority: number;
  readonly state: ApplicationState;
  /** When the driver pod was made. */
  readonly since: number;
  readonly minimumExecutors: number;
  readonly executors: ExecutorCounts;
  /**
   * Executors that are not in the cluster yet, by the names of their pods: the admitted ones, then those that wait. Of
   * more than 1,000 these are the first ones.
   */
  readonly virtualExecutors: readonly string[];
  readonly used: Amounts;
  /** Why it waits, in sentences for people; empty if it does not. */
  readonly waits: readonly string[];
}

/** Without its uid, which is the way to what is another's. */
export interface DriverOverview {
  readonly pod: string;
  /** The port of Spark's pages in the pod, as the pod names it `spark-ui`; missing where it names none. */
  readonly uiPort?: number;
}

/** Of the executors that have not ended, how many are in each state. */
export interface ExecutorCounts {
  /** Not admitted. */
  readonly waiting: number;
  /** Admitted, and not in the cluster yet. */
  readonly admitted: number;
  readonly pending: number;
  readonly running: number;
  /** Asked to leave, or being deleted. */
  readonly leaving: number;
}
