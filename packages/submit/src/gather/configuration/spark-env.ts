import { join } from "node:path";
import type { Clock, Env } from "@kindling/outside";
import { fileStatus } from "../files/file-status.ts";
import { readSmallFile } from "../files/read-small-file.ts";
import { optionsOf } from "./java-options.ts";

/**
 * The directory of the submitter's configuration files: $SPARK_CONF_DIR, else $SPARK_HOME/conf. An empty variable counts as
 * unset (bin/load-spark-env.sh, bin/find-spark-home).
 */
export function sparkConfDir({ SPARK_CONF_DIR: directory = "", SPARK_HOME: home = "" }: Env): string | undefined {
  if (directory !== "") return directory;
  return home === "" ? undefined : join(home, "conf");
}

/**
 * The environment as spark-submit's start script makes it (bin/load-spark-env.sh): SPARK_CONF_DIR is set, and the variables
 * that `spark-env.sh` in that directory exports are added, unless SPARK_ENV_LOADED says that this was done. The file is a
 * shell script, so a shell runs it. On a system without a shell the file is skipped.
 */
export function withSparkEnv(env: Env, notice: (message: string) => void): Env {
  const directory = sparkConfDir(env);
  if (directory === undefined || env["SPARK_ENV_LOADED"] !== undefined) return env;
  const withDirectory: Env = { ...env, SPARK_CONF_DIR: directory };
  const script = join(directory, "spark-env.sh");
  if (fileStatus(script)?.isFile() !== true) return withDirectory;

  // Loaded only here: few users have such a script, and loading costs every command some time.
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

/**
 * The `-D` definitions of spark-submit's own JVM: those in the file `java-opts` beside spark-defaults.conf, and those in
 * SPARK_SUBMIT_OPTS (AbstractCommandBuilder.buildJavaCommand and SparkSubmitCommandBuilder.buildSparkSubmitCommand). If a
 * name is defined twice, the last definition counts.
 *
 * @throws KindlingError `CONF_INVALID` for quotes that are left open
 */
export function jvmDefinitions(env: Env, clock: Clock): Record<string, string> {
  const directory = sparkConfDir(env);
  const file = directory === undefined ? undefined : join(directory, "java-opts");
  const lines = file !== undefined && fileStatus(file)?.isFile() === true ? readLines(file, clock) : [];
  const options = [
    ...lines.flatMap((line) => optionsOf(line, file ?? "")),
    ...optionsOf(env["SPARK_SUBMIT_OPTS"] ?? "", "SPARK_SUBMIT_OPTS"),
  ];
  const found: Record<string, string> = {};
  for (const option of options) {
    const match = /^-D([^=]+)(?:=([^]*))?$/.exec(option);
    if (match?.[1] !== undefined) found[match[1]] = match[2] ?? "";
  }
  return found;
}

/** The definitions that are entries of the configuration: every other source overwrites them. */
export function sparkDefinitions(definitions: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(definitions).filter(([name]) => /^spark\../.test(name)));
}

function readLines(path: string, clock: Clock): string[] {
  return readSmallFile(path, clock)
    .toString("utf8")
    .split(/\r\n|\n|\r/);
}
