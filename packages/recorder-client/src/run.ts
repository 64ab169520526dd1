/** One attempt of an application: one driver pod. */
export interface RunPlace {
  readonly namespace: string;
  /** The day on which its driver was created, `2026-11-21` in UTC. */
  readonly day: string;
  /** The driver pod's name. */
  readonly driver: string;
  /** The driver pod's uid: a driver that is started again keeps its name. */
  readonly uid: string;
}

/**
 * How an attempt of an application ended. `lost`: its driver's pod was gone before anybody saw how it ended.
 */
export type RunState = "succeeded" | "failed" | "lost";

export const RUN_STATES: readonly RunState[] = ["succeeded", "failed", "lost"];

/** What pods have reserved on nodes of a kind, by their requests. */
export interface Usage {
  /** The node's instance type; missing if the node does not say it, or was gone. */
  readonly nodeType?: string;
  /** Whether the node may be taken away at any time. */
  readonly spot: boolean;
  readonly coreSeconds: number;
  readonly gibSeconds: number;
}

/**
 * What lists show of a run: one attempt of an application, which is one driver pod that has ended. Times are milliseconds
 * since the epoch.
 */
export interface Run extends RunPlace {
  /** Spark's application id, the label `spark-app-selector`. */
  readonly id: string;
  /** What its attempts have in common: the uid of a SparkApplication, or Spark's application id. */
  readonly application: string;
  /** The application's name. */
  readonly name: string;
  /** From 1 on. */
  readonly attempt: number;
  readonly state: RunState;
  /** The cause of a failure, in one word for programs. */
  readonly cause?: string;
  /** Why it failed, in one line. */
  readonly why?: string;
  /** The time at which its driver pod was created. */
  readonly started: number;
  readonly ended: number;
  readonly sparkVersion?: string;
  readonly queue?: string;
  /** The labels of its driver pod, without those that Spark sets. */
  readonly labels: Readonly<Record<string, string>>;
  /** How many executors it has had. */
  readonly executors: number;
  /** Of its driver and its executors. */
  readonly usage: readonly Usage[];
  /** How many bytes of the archive are its own. */
  readonly bytes: number;
  /** The folder of its event log, below that of its namespace. */
  readonly eventLog?: string;
}
