import type { ConfKey, ConfPrefix } from "./conf/conf-key.ts";
import type { KubernetesDriverSpec } from "./driver-spec.ts";
import type { KubernetesExecutorSpec } from "./executor-spec.ts";
import type { PodChanges } from "./pod-changes.ts";
import type { SparkConf } from "./conf/spark-conf.ts";
import type { Environment, ExecutorRequest, Submission } from "./submission.ts";

/**
 * One concern of a driver's and an executor's objects: a pure function from a spec to a spec with something added. It never
 * changes its argument. It never removes or changes what is already there, except in the fields that it declares under
 * `overrides`. It gives the same result for the same input. Anyone can publish one. Counterpart of Spark's
 * `KubernetesFeatureConfigStep`.
 */
export interface Step {
  /** Kebab-case; the name in `--steps`, `kindling explain` and errors. */
  readonly name: string;
  /** Implement when drivers need something. */
  configureDriver?(spec: KubernetesDriverSpec, submission: Submission): KubernetesDriverSpec;
  /** Implement when executors need something. */
  configureExecutor?(spec: KubernetesExecutorSpec, executor: ExecutorRequest): KubernetesExecutorSpec;
  /**
   * Everything that `configureExecutor` does, if it does the same for every executor. A gateway then applies it without
   * having the step installed.
   */
  readonly executorChanges?: PodChanges;
  /**
   * Implement when the step reads files of the machine that submits: returns their paths, or paths of folders to read the
   * regular files in. They are gathered before the steps run, and `submission.files` contains no others.
   */
  localFiles?(conf: SparkConf, env: Environment): readonly string[];
  /** The keys that the step reads, for the configuration reference. */
  readonly keys?: readonly (ConfKey<unknown> | ConfPrefix)[];
  /** Names of steps that must run before this one, if they are in the chain at all. */
  readonly after?: readonly string[];
  /** Names of steps that must run after this one, if they are in the chain at all. */
  readonly before?: readonly string[];
  /**
   * Fields that the step sets even if they are set already, as paths such as `driverContainer.image`; a path includes
   * everything under it. In such fields Spark's own values win over those of a pod template.
   */
  readonly overrides?: readonly string[];
}
