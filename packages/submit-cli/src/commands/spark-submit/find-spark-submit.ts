import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Env } from "@kindling/outside";
import { isExecutable } from "../is-executable.ts";

/** How to run the real spark-submit. */
export interface RealSparkSubmit {
  readonly program: string;
  /** The words before the caller's own arguments. */
  readonly words: readonly string[];
  /** Its environment. */
  readonly env: Env;
}

/** Names the programs that this command line has been passed to already, so that none is called twice. */
const ASKED = "KINDLING_SPARK_SUBMIT_ASKED";

/**
 * Looks for the real spark-submit: in SPARK_HOME, else on the PATH. If the found program is this command itself (through any
 * link), or leads back to it, Spark's own starter `bin/spark-class` is used, which never runs a `spark-submit`.
 *
 * @param ownScript the file with which this command was started
 * @throws KindlingError `UNSUPPORTED` if there is none
 */
export function findSparkSubmit(env: Env, ownScript: string, reason: string): RealSparkSubmit {
  const asked = [...(env[ASKED] ?? "").split(delimiter).filter((path) => path !== ""), canonical(ownScript)];
  const isNew = (script: string): boolean => isExecutable(script) && !asked.includes(canonical(script));
  const bySubmit = (script: string): RealSparkSubmit => ({
    program: script,
    words: [],
    env: { ...env, [ASKED]: [...asked, canonical(script)].join(delimiter) },
  });

  const home = env["SPARK_HOME"] ?? "";
  if (home === "") {
    const found = foldersOf(env)
      .map((folder) => join(folder, "spark-submit"))
      .find(isNew);
    if (found !== undefined) return bySubmit(found);
    throw new KindlingError("UNSUPPORTED", `${reason}: this needs the real spark-submit, and there is none`, {
      hint: "set SPARK_HOME to the folder of a Spark",
    });
  }
  const submit = join(home, "bin", "spark-submit");
  if (isNew(submit)) return bySubmit(submit);
  const starter = join(home, "bin", "spark-class");
  if (isExecutable(starter)) {
    // What bin/spark-submit does itself.
    return { program: starter, words: ["org.apache.spark.deploy.SparkSubmit"], env: { ...env, PYTHONHASHSEED: "0" } };
  }
  throw new KindlingError(
    "UNSUPPORTED",
    `${reason}: this needs the real spark-submit, and SPARK_HOME (${home}) holds no Spark`,
    { hint: "set SPARK_HOME to the folder of a Spark" },
  );
}

/**
 * The environment with the SPARK_HOME that spark-submit finds from its own place (bin/find-spark-home): a link to this
 * command in the `bin` folder of a Spark uses that Spark's configuration.
 */
export function withSparkHome(env: Env, ownScript: string): Env {
  if ((env["SPARK_HOME"] ?? "") !== "") return env;
  const home = dirname(dirname(ownScript));
  return isExecutable(join(home, "bin", "spark-class")) ? { ...env, SPARK_HOME: home } : env;
}

function foldersOf(env: Env): readonly string[] {
  return (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
}

function canonical(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
