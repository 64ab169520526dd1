import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isAtLeast } from "@kindling/core-spec";
import type { Env } from "../conf/spark-env.ts";
import { resolveSparkVersion } from "../plan/spark-version.ts";
import { VERSION } from "../version.ts";

/**
 * What `spark-submit --version` prints, as far as callers read it (Livy's LivySparkUtils): `version 3.5.9` at the end of a
 * line, which must be the first `version` of all, and `Scala version 2.12, Java`.
 */
export function versionText(entries: Readonly<Record<string, string>>, env: Env): string {
  const { spark, scala } = versionsOf(entries, env);
  return [
    `Spark on Kubernetes without a JVM in the way, by kindling ${VERSION}`,
    `   version ${spark}`,
    "",
    `Using Scala version ${scala}, Java of the image`,
    "Type --help for more information.",
    "",
  ].join("\n");
}

interface Versions {
  readonly spark: string;
  readonly scala: string;
}

/** What was said of the version; else that of the Spark in SPARK_HOME, which is what the real one would print. */
function versionsOf(entries: Readonly<Record<string, string>>, env: Env): Versions {
  const isSaid = [entries["spark.kindling.sparkVersion"], env["KINDLING_SPARK_VERSION"]].some(
    (text) => text !== undefined && text !== "",
  );
  const installed = installedSpark(env["SPARK_HOME"]);
  const spark =
    isSaid || installed === undefined
      ? resolveSparkVersion(
          entries,
          (name) => env[name],
          () => {},
        )
      : installed.spark;
  const scala = env["SPARK_SCALA_VERSION"] ?? "";
  // Spark 4 is built for Scala 2.13 alone; Spark 3 by default for 2.12.
  const usual = isAtLeast(spark, "4.0") ? "2.13" : "2.12";
  return { spark, scala: scala === "" ? (installed?.scala ?? usual) : scala };
}

/** By the name of its jar, `spark-core_2.12-3.5.9.jar`. */
function installedSpark(home: string | undefined): Versions | undefined {
  if (home === undefined || home === "") return undefined;
  const names = listFolder(join(home, "jars")).map((name) => /^spark-core_(\d+\.\d+)-(\d.*)\.jar$/.exec(name));
  const [, scala, spark] = names.find((match) => match !== null) ?? [];
  return scala === undefined || spark === undefined ? undefined : { spark, scala };
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
