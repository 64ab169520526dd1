import type { Pod } from "@kindling/core-spec";

/** One `--conf key=value`. */
export type ConfEntry = readonly [key: string, value: string];

/**
 * An application in the terms of spark-submit: what stock's operator hands to it (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/submission.go), with the pod templates as objects instead of files.
 */
export interface Translation {
  /** spark.app.name: always the name of the object. */
  readonly name: string;
  readonly mode: string;
  readonly mainClass: string | undefined;
  readonly loadSparkDefaults: boolean;
  readonly jars: readonly string[];
  readonly packages: readonly string[];
  readonly excludePackages: readonly string[];
  readonly repositories: readonly string[];
  readonly pyFiles: readonly string[];
  readonly files: readonly string[];
  readonly archives: readonly string[];
  /** In stock's order; of one key the last entry wins. */
  readonly conf: readonly ConfEntry[];
  readonly proxyUser: string | undefined;
  readonly mainApplicationFile: string;
  readonly arguments: readonly string[];
  /** As in the object, with an owner reference to it; undefined where stock gives no template. */
  readonly driverTemplate: Pod | undefined;
  readonly executorTemplate: Pod | undefined;
  readonly namespace: string;
  readonly sparkVersion: string;
  readonly driverPodName: string;
}
