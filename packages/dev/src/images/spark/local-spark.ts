import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** A Spark on this machine. */
export interface LocalSpark {
  /** The folder that `SPARK_HOME` would name. */
  readonly home: string;
  readonly version: string;
  /** Where it was found. */
  readonly origin: "configured" | "SPARK_HOME" | "pyspark" | "cache";
}

/**
 * The version of the Spark in a folder. It is read from the name of Spark's core jar, because installations of pyspark have
 * no RELEASE file.
 *
 * @returns undefined if there is no Spark
 */
export async function sparkVersionOf(home: string): Promise<string | undefined> {
  const jars = await readdir(join(home, "jars")).catch((): string[] => []);
  for (const jar of jars) {
    const version = /^spark-core_2\.\d+-(.+)\.jar$/.exec(jar)?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}
