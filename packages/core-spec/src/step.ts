import type { ConfKey, ConfPrefix } from "./conf/conf-key.ts";
import type { KubernetesDriverSpec } from "./driver-spec.ts";
import type { KubernetesExecutorSpec } from "./executor-spec.ts";
import type { PodChanges } from "./pod-changes.ts";
import type { SparkConf } from "./conf/spark-conf.ts";
import type { Environment, ExecutorRequest, Submission } from "./submission.ts";

/**
 * One concern of a driver's and an executor's objects: a pure function from a spec to a spec with something added.
 * It never changes its argument, never drops or alters what is already there except in the fields it declares under
 * `overrides`, and gives the same result for the same input. Anyone can publish one. Counterpart of Spark's
 * `KubernetesFeatureConfigStep`.
 */
export interface Step {
  /** Kebab-case; what `--steps`, `kindling explain` and errors call it. */
  readonly name: string;
  /** Implement when drivers need something. */
  configureDriver?(spec: KubernetesDriverSpec, submission: Submission): KubernetesDriverSpec;
  /** Implement when executors need something. */
  configureExecutor?(spec: KubernetesExecutorSpec, executor: ExecutorRequest): KubernetesExecutorSpec;
  /**
   * All that `configureExecutor` does, where it does the same for every executor. A gateway then carries it out without
   * having the step installed.
   */
  readonly executorChanges?: PodChanges;
  /**
   * Implement when the step reads files of the machine that submits: their paths, or those of folders, of which the
   * regular files are read. They are gathered before the steps run, and `submission.files` has no others.
   */
  localFiles?(conf: SparkConf, env: Environment): readonly string[];
  /** The keys that the step reads, for the reference of keys. */
  readonly keys?: readonly (ConfKey<unknown> | ConfPrefix)[];
  /** Names of steps that must have run before this one, where they are in the chain at all. */
  readonly after?: readonly string[];
  /** Names of steps that must run after this one, where they are in the chain at all. */
  readonly before?: readonly string[];
  /**
   * Fields that the step sets even where they are set already, as paths such as `driverContainer.image`; a path covers
   * all that lies under it. Spark lets its own values win over a pod template's in such fields.
   */
  readonly overrides?: readonly string[];
}
