import type { Redactor, SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Gathered } from "../gather/gather.ts";
import type { Installation } from "../gather/installation/installation.ts";

export interface ExamineOptions {
  readonly client: KubeClient;
  /** That of applications. */
  readonly namespace: string;
  /** What `spark.kindling.installation` says. */
  readonly installation: string | undefined;
  /** What this machine has configured, without an installation. */
  readonly configured: SparkConf;
  /** The version of the command. */
  readonly version: string;
  /** Whether pods are made, and taken away again, to look at things from within the cluster. */
  readonly pods: boolean;
  /** What a submission to the namespace would start from, given the installation that was found. */
  readonly gather: (installation: Installation | undefined) => Promise<Gathered>;
  readonly outside: Outside;
  /** Learns what may not be shown. */
  readonly secrets: Redactor;
  readonly signal: AbortSignal;
}
