import { join } from "node:path";
import type { Env } from "@kindling/outside";
import { fileStatus } from "../files/file-status.ts";

/** The directory of the submitter's configuration files: $SPARK_CONF_DIR, else $SPARK_HOME/conf. */
export function sparkConfDir(env: Env): string | undefined {
  if (env["SPARK_CONF_DIR"] !== undefined && env["SPARK_CONF_DIR"] !== "") return env["SPARK_CONF_DIR"];
  return env["SPARK_HOME"] === undefined ? undefined : join(env["SPARK_HOME"], "conf");
}

/**
 * The environment as spark-submit's start script makes it (bin/load-spark-env.sh): SPARK_CONF_DIR is set, and what
 * `spark-env.sh` in that directory exports joins, unless SPARK_ENV_LOADED says that this was done. The file is a shell
 * script, so a shell runs it; a system without one goes without it.
 */
export function withSparkEnv(env: Env, notice: (message: string) => void): Env {
  const directory = sparkConfDir(env);
  if (directory === undefined || env["SPARK_ENV_LOADED"] !== undefined) return env;
  const withDirectory: Env = { ...env, SPARK_CONF_DIR: directory };
  const script = join(directory, "spark-env.sh");
  if (fileStatus(script)?.isFile() !== true) return withDirectory;

  // Loaded here, because few have such a script, and every command would pay for it.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const ran = spawnSync("bash", ["-c", 'set -a; . "$0" >&2; exec env -0', script], {
    env: withDirectory,
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 16 * 1024 * 1024,
    timeout: 30_000,
  });
  if (ran.status !== 0) {
    notice(`${script} could not be run and is passed over`);
    return withDirectory;
  }
  const exported = ran.stdout
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry.includes("="));
  return Object.fromEntries(
    exported.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

/** The `-Dspark.…=…` definitions in SPARK_SUBMIT_OPTS: the base that every other source of configuration overwrites. */
export function systemProperties(env: Env): Record<string, string> {
  const found: Record<string, string> = {};
  for (const option of (env["SPARK_SUBMIT_OPTS"] ?? "").split(/\s+/)) {
    const match = /^-D(spark\.[^=]+)=(.*)$/.exec(option);
    if (match?.[1] !== undefined) found[match[1]] = match[2] ?? "";
  }
  return found;
}
