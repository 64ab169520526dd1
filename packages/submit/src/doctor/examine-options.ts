import type { Redactor, SparkConf } from "@kindling/core-spec";
import type { KubeClient } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Gathered } from "../gather/gather.ts";
import type { Installation } from "../gather/installation/installation.ts";

export interface ExamineOptions {
  readonly client: KubeClient;
  /** The namespace of the applications. */
  readonly namespace: string;
  /** The value of `spark.kindling.installation`. */
  readonly installation: string | undefined;
  /** The configuration of this machine, without the entries of an installation. */
  readonly configured: SparkConf;
  /** The version of the command. */
  readonly version: string;
  /** Whether to create pods for a short time, to check things from inside the cluster. */
  readonly pods: boolean;
  /** What a submission to the namespace would start with, given the installation that was found. */
  readonly gather: (installation: Installation | undefined) => Promise<Gathered>;
  readonly outside: Outside;
  /** Receives the texts that may not be shown. */
  readonly secrets: Redactor;
  readonly signal: AbortSignal;
}
