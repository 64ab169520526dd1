import type { ConnectSessions, PriorityRange } from "@kindling/core-spec";
import type { Amounts } from "./amounts.ts";

/**
 * The state at one moment: queues, capacity, applications, and what they wait for. It is for web pages and the command line.
 * It is plain data that JSON does not change. Times are milliseconds since the epoch.
 */
export interface Overview {
  readonly at: number;
  readonly capacity: CapacityOverview;
  /** All queues; each queue comes before its children. */
  readonly queues: readonly QueueOverview[];
  /** What is wrong with the queues, in sentences for people: for example, that their file is refused. */
  readonly queueFaults: readonly string[];
  /** The applications that have not ended, in the order in which they came. */
  readonly applications: readonly ApplicationOverview[];
}

export interface CapacityOverview {
  /** `unlimited`: nothing is counted, and `total` is empty. */
  readonly kind: "nodes" | "configured" | "unlimited";
  /** How many nodes accept pods; 0 unless the capacity is that of the nodes. */
  readonly nodes: number;
  readonly total: Amounts;
  /** Used by drivers and executors of the applications. */
  readonly used: Amounts;
  /** Used by all other pods. */
  readonly usedByOthers: Amounts;
  /** What autoscalers may still add; missing unless the capacity is `auto`. */
  readonly toCome?: ToComeOverview;
}

export interface ToComeOverview {
  /** How many nodes have been ordered and take no pods yet. */
  readonly nodes: number;
  readonly classes: readonly NodeClassOverview[];
}

/** Nodes of one kind that an autoscaler may still add. */
export interface NodeClassOverview {
  /** `NodePool spark` */
  readonly name: string;
  /** What may still be added. A resource that is missing is not limited. */
  readonly left: Amounts;
  readonly limit: Amounts;
  /** Why the autoscaler adds none of them now; missing if it does. */
  readonly unready?: string;
}

export interface QueueOverview {
  /** As applications name it, such as `etl.daily`. */
  readonly path: string;
  /** The path of the parent queue; empty on the highest level. */
  readonly parent: string;
  readonly weight: number;
  /** As configured. */
  readonly guarantee: Amounts;
  /** A resource that is missing has no ceiling. */
  readonly ceiling: Amounts;
  /**
   * The namespaces whose applications may use it, as `etl, team-*` or `team=etl`; missing if all may. The rules of its
   * parents apply as well.
   */
  readonly namespaces?: string;
  /** The priorities that applications may have; missing if nothing is set. */
  readonly priority?: PriorityRange;
  /** Used here and in the queues below; the numbers include these, too. */
  readonly used: Amounts;
  /** The share of the total that the queue uses, for the resource with the highest share. */
  readonly share: number;
  readonly applications: Readonly<Record<ApplicationState, number>>;
  readonly waitingExecutors: number;
}

/**
 * The words of `kubectl get pods` and `kindling list` for its driver. `SchedulingGated`: the gate holds it back. `Pending`:
 * it may start, but does not run yet.
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
  /** When the driver pod was created. */
  readonly since: number;
  readonly minimumExecutors: number;
  readonly executors: ExecutorCounts;
  /**
   * The pod names of executors that are not in the cluster yet: the admitted ones, then the waiting ones. If there are more
   * than 1,000, only the first of them.
   */
  readonly virtualExecutors: readonly string[];
  readonly used: Amounts;
  /** Why it waits, in sentences for people; empty if it does not. */
  readonly waits: readonly string[];
  /** What was done about executors that ended for lack of memory, for people; missing if nothing was. */
  readonly memory?: string;
  /** The sessions of Spark Connect that it is for; missing unless kindling-connect has made it. */
  readonly connect?: ConnectSessions;
}

/** Without the driver's uid, because the uid would give access to other people's objects. */
export interface DriverOverview {
  readonly pod: string;
  /** The port of the Spark UI, which the pod names `spark-ui` or `spark-ui-tls`; missing if it names none. */
  readonly uiPort?: number;
  /** Whether the Spark UI has TLS at this port, which the pod then names `spark-ui-tls`. */
  readonly hasUiTls?: true;
}

/** How many executors are in each state. */
export interface ExecutorCounts {
  /** Not admitted. */
  readonly waiting: number;
  /** Admitted, but not in the cluster yet. */
  readonly admitted: number;
  readonly pending: number;
  readonly running: number;
  /** Asked to leave, or being deleted. */
  readonly leaving: number;
  /** Not executors any more: pods of ended ones that stay for their shuffle files. */
  readonly keepers: number;
}
