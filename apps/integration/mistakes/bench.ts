import type { Fixtures } from "../clusters/applications.ts";
import type { StagingSetup, TestStaging } from "../clusters/staging.ts";
import { LEVEL_FLAGS, type TestNamespace } from "../clusters/test-cluster.ts";

/** Where mistakes are made. */
export interface Bench {
  readonly namespace: TestNamespace;
  /** With the flags of a submission without a mistake. */
  readonly fixtures: Fixtures;
  readonly staging: TestStaging;
  readonly setup: StagingSetup;
  /** Flags that reach the API server without the kubeconfig and without credentials. */
  readonly reach: readonly string[];
  /** A folder with the files of {@link FILES}, in which commands run. */
  readonly folder: string;
  /** Registers a function for the time after all mistakes. */
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

/** Makes a mistake: prepares the cluster for it, and returns the command line. */
export type Mistake = (bench: Bench) => Attempt | Promise<Attempt>;

/** By their names in the table in docs/mistakes.md. */
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

/** A submission that would work without the given arguments. */
export function submitting({ fixtures }: Bench, ...args: readonly string[]): string[] {
  // Some mistakes are about a missing installation, no matter what the cluster has. Nothing is asked of the namespace then.
  return ["submit", ...conf({ "spark.kindling.installation": "none" }), ...LEVEL_FLAGS, ...fixtures.flags, ...args];
}
