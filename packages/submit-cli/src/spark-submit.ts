import { spawn } from "node:child_process";
import { join } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { FLAGS, takesValue } from "./args/flag-table.ts";
import type { Env } from "./conf/spark-env.ts";

/** Says that something is not Kindling's to run. */
export function unsupportedHere(reason: string): KindlingError {
  return new KindlingError("UNSUPPORTED", `only cluster mode on Kubernetes runs without spark-submit: ${reason}`);
}

/**
 * Hands a command line over to the real spark-submit.
 *
 * @returns its exit code
 * @throws KindlingError `UNSUPPORTED` where there is no SPARK_HOME, saying what would be run
 */
export async function runSparkSubmit(argv: readonly string[], env: Env, cwd: string, reason: string): Promise<number> {
  const args = withoutOwnFlags(argv);
  const home = env["SPARK_HOME"];
  if (home === undefined || home === "") {
    const shown = args.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
    throw new KindlingError("UNSUPPORTED", `${reason}, which takes spark-submit, and SPARK_HOME is not set`, {
      hint: `set SPARK_HOME; this would then run: $SPARK_HOME/bin/spark-submit ${shown}`,
    });
  }
  const program = join(home, "bin", "spark-submit");
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, cwd, stdio: "inherit" });
    child.on("error", (error) => {
      reject(new KindlingError("UNSUPPORTED", `${program} cannot be run: ${messageOf(error)}`, { cause: error }));
    });
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}

/** The command line without the flags that spark-submit does not know. */
function withoutOwnFlags(argv: readonly string[]): string[] {
  const own = new Map(
    FLAGS.filter((flag) => flag.section === "kindling").flatMap((flag) =>
      [flag.name, flag.short].map((name) => [name, flag]),
    ),
  );
  const kept: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? "";
    const flag = own.get(word.replace(/^(--[^=]+)=[^]*$/, "$1"));
    if (flag === undefined) {
      kept.push(word);
      const known = FLAGS.find(({ name, short }) => name === word || short === word);
      if (known !== undefined && takesValue(known)) kept.push(...argv.slice(++index, index + 1));
      else if (!word.startsWith("-")) return [...kept, ...argv.slice(index + 1)];
    } else if (takesValue(flag) && !word.includes("=")) {
      index++;
    }
  }
  return kept;
}
