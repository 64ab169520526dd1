/** Who or what a pod has worked as. */
export type PodRole = "driver" | "executor";

/** The life of a driver or an executor, for the ledger. Times are milliseconds since the epoch. */
export interface PodLife {
  readonly role: PodRole;
  /** The executor's id; missing for a driver. */
  readonly executor?: string;
  readonly pod: string;
  readonly uid: string;
  /** Requested cores, and memory in bytes, of all containers together. */
  readonly cores: number;
  readonly memory: number;
  /** The time since which it holds its room on a node; missing if it never had a node. */
  readonly started?: number;
  readonly ended: number;
  readonly exitCode?: number;
  /** Why it ended, in Kubernetes' words: `Completed`, `OOMKilled`, `Evicted`, `Deleted`. */
  readonly reason: string;
  readonly node?: string;
  readonly nodeType?: string;
  readonly spot: boolean;
  readonly queue?: string;
  /** The labels at its end, without those that Spark sets. */
  readonly labels: Readonly<Record<string, string>>;
  /** What is missing of its log, in a sentence; missing if it is whole. */
  readonly logGap?: string;
}
