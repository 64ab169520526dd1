import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sparkVersionOf } from "@kindling/core-spec";
import { resolveSparkVersion, type Configuration } from "@kindling/submit";
import { VERSION } from "../../version.ts";

/**
 * The output of `spark-submit --version`, as far as callers read it (Livy's LivySparkUtils): `version 3.5.9` at the end of a
 * line, which must be the first `version` of all, and `Scala version 2.12, Java`.
 */
export function versionText(configuration: Pick<Configuration, "entries" | "env">): string {
  const { spark, scala } = versionsOf(configuration);
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

/** The configured version; otherwise that of the Spark in SPARK_HOME, which the real one would print. */
function versionsOf({ entries, env }: Pick<Configuration, "entries" | "env">): Versions {
  const isSaid = [entries["spark.kindling.sparkVersion"], env["KINDLING_SPARK_VERSION"]].some(
    (text) => text !== undefined && text !== "",
  );
  const installed = installedSpark(env["SPARK_HOME"]);
  const spark =
    isSaid || installed === undefined ? resolveSparkVersion(entries, env, () => undefined) : installed.spark;
  const scala = env["SPARK_SCALA_VERSION"] ?? "";
  const usual = sparkVersionOf(spark).has("scala-2.13-alone") ? "2.13" : "2.12";
  return { spark, scala: scala === "" ? (installed?.scala ?? usual) : scala };
}

/** From the name of its jar, `spark-core_2.12-3.5.9.jar`. */
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
