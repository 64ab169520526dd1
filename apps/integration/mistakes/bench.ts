import type { Fixtures } from "../clusters/applications.ts";
import type { StagingSetup, TestStaging } from "../clusters/staging.ts";
import type { TestNamespace } from "../clusters/test-cluster.ts";

/** What mistakes are made on. */
export interface Bench {
  readonly namespace: TestNamespace;
  /** With the flags that a submission without a mistake has. */
  readonly fixtures: Fixtures;
  readonly staging: TestStaging;
  readonly setup: StagingSetup;
  /** Flags that reach the API server without the kubeconfig, and show no credentials. */
  readonly reach: readonly string[];
  /** A folder with the files of {@link FILES}, in which commands run. */
  readonly folder: string;
  /** Has something done when all mistakes have been made. */
  readonly atEnd: (cleanUp: () => Promise<void>) => void;
}

/** Files of the submitter's machine. */
export const FILES: Readonly<Record<string, string>> = {
  "app.py": "print('here')\n",
  "broken.yaml": "spec:\n  containers: [\n",
};

/** One command line with a mistake. */
export interface Attempt {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes a mistake: prepares what it needs in the cluster, and says what is typed. */
export type Mistake = (bench: Bench) => Attempt | Promise<Attempt>;

/** By the names that the table in docs/mistakes.md has for them. */
export type Mistakes = Readonly<Record<string, Mistake>>;

/** Flags of configuration entries. */
export function conf(entries: Readonly<Record<string, string>>): string[] {
  return Object.entries(entries).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
}

/** An application that is in Spark's image and needs no cluster for long. */
export const PI = [
  ...["--class", "org.apache.spark.examples.SparkPi"],
  "local:///opt/spark/examples/jars/spark-examples.jar",
];

/** A submission that would work, but for what is given. */
export function submitting({ fixtures }: Bench, ...args: readonly string[]): string[] {
  // Some mistakes are about having no installation, whatever the cluster has.
  return ["submit", ...conf({ "spark.kindling.installation": "none" }), ...fixtures.flags, ...args];
}
