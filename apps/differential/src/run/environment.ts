import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type Variables = Readonly<Record<string, string>>;

/** The environment of every case, on both sides: from this machine it has only the PATH of the programs. */
export function bareEnvironment(folder: string): Variables {
  return { PATH: process.env["PATH"] ?? "", HOME: join(folder, "home"), LANG: "C.UTF-8", KUBECONFIG: "/dev/null" };
}

/**
 * The environment that the JVM gets from bin/spark-submit and bin/load-spark-env.sh. If there is a spark-env.sh, a shell runs
 * it as that script does.
 */
export function startedEnvironment(given: Variables, cwd: string): Variables {
  const env: Variables = { ...given, PYTHONHASHSEED: "0" };
  const home = env["SPARK_HOME"] ?? "";
  const isLoaded = (env["SPARK_ENV_LOADED"] ?? "") !== "";
  const folder = (env["SPARK_CONF_DIR"] ?? "") === "" ? join(home, "conf") : (env["SPARK_CONF_DIR"] ?? "");
  if (!isLoaded && existsSync(join(cwd === "" || folder.startsWith("/") ? "" : cwd, folder, "spark-env.sh"))) {
    const script = '. "$SPARK_HOME/bin/load-spark-env.sh" >/dev/null; exec env -0';
    const { stdout } = spawnSync("bash", ["-c", script], { env, cwd, encoding: "utf8" });
    return Object.fromEntries(
      stdout
        .split("\0")
        .filter((line) => line.includes("="))
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
  }
  return {
    ...env,
    SPARK_SCALA_VERSION: scalaVersion(home),
    ...(!isLoaded && { SPARK_ENV_LOADED: "1", SPARK_CONF_DIR: folder }),
  };
}

function scalaVersion(home: string): string {
  const library = readdirSync(join(home, "jars")).find((name) => name.startsWith("scala-library-"));
  return /-(\d+\.\d+)\./.exec(library ?? "")?.[1] ?? "";
}
