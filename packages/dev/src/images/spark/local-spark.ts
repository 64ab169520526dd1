import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A Spark on this machine. */
export interface LocalSpark {
  /** The folder that `SPARK_HOME` would name. */
  readonly home: string;
  readonly version: string;
  /** Who says that it is there. */
  readonly origin: "configured" | "SPARK_HOME" | "pyspark" | "cache";
}

/**
 * The version of the Spark in a folder. The jar of Spark's core tells, for installations of pyspark have no RELEASE file.
 *
 * @returns undefined when there is no Spark
 */
export async function sparkVersionOf(home: string): Promise<string | undefined> {
  const jars = await readdir(join(home, "jars")).catch((): string[] => []);
  for (const jar of jars) {
    const version = /^spark-core_2\.\d+-(.+)\.jar$/.exec(jar)?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}
