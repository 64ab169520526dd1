/** How an attempt at a stage ended; `running` if its end is not in the event log, because the driver ended before. */
export const STAGE_STATES = ["succeeded", "failed", "running"] as const;

export type StageState = (typeof STAGE_STATES)[number];

/** What the tasks of a stage took together: times in milliseconds, sizes in bytes. */
export interface StageCost {
  /** The time of executors, of all tasks together. */
  readonly executorTime: number;
  readonly gcTime: number;
  readonly inputBytes: number;
  readonly outputBytes: number;
  readonly shuffleReadBytes: number;
  readonly shuffleWriteBytes: number;
  /** What was spilled to disks. */
  readonly spilledBytes: number;
}

/** An attempt at a stage, as Spark's event log tells it. Times are milliseconds since the epoch. */
export interface Stage extends StageCost {
  readonly id: number;
  /** The first one has 0. */
  readonly attempt: number;
  /** What the application called: `count at Etl.scala:12`. */
  readonly name: string;
  readonly state: StageState;
  readonly tasks: number;
  readonly started?: number;
  readonly ended?: number;
  /** The first line of why it failed. */
  readonly failure?: string;
}
