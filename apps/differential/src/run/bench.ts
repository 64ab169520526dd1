import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Case } from "../cases/case.ts";
import { bareEnvironment, startedEnvironment } from "./environment.ts";
import { ColdKindling, WarmKindling, type Kindling } from "./kindling.ts";
import { isBroken } from "./ran.ts";
import { HANDED_OVER, Side, type Outcome } from "./side.ts";
import { compileWarmSubmit, WarmSpark } from "./warm-spark.ts";

export interface BenchFiles {
  /** The source of the class that runs in the JVM. */
  readonly warmSubmit: string;
  /** The permanent process, and the bundle that it runs. */
  readonly worker: string;
  readonly bundle: string;
  /** `bin/kindling.js`. */
  readonly program: string;
}

/** The real spark-submit of one Spark and Kindling, side by side. */
export class Bench {
  readonly sparkVersion: string;
  readonly #folder: string;
  readonly #spark: WarmSpark;
  readonly #kindlings: readonly Kindling[];
  readonly #real: Side;
  readonly #ours: Side;
  readonly #cold: Side;

  constructor(sparkHome: string, files: BenchFiles) {
    this.sparkVersion = versionOf(sparkHome);
    this.#folder = mkdtempSync(join(tmpdir(), "differential-"));
    mkdirSync(join(this.#folder, "home"));
    const folder = (name: string): string => join(this.#folder, name);
    const base = bareEnvironment(this.#folder);
    // With the same name, because files that Spark uploads may be named after the folder.
    mkdirSync(folder("real/work"), { recursive: true });
    const spark = { folder: sparkHome, version: this.sparkVersion };
    this.#spark = new WarmSpark(spark, compileWarmSubmit(files.warmSubmit, this.#folder), folder("real/work"));
    this.#real = new Side(folder("real/work"), this.sparkVersion, ({ args, env, cwd }) =>
      this.#spark.run(args, startedEnvironment({ ...base, SPARK_HOME: sparkHome, ...env }, cwd)),
    );
    const ourEnvironment = { ...base, KINDLING_SPARK_VERSION: this.sparkVersion };
    const sideOf = (name: string, kindling: Kindling): Side =>
      new Side(folder(`${name}/work`), this.sparkVersion, ({ args, env, cwd }, { command }) => {
        // A spark-submit that records how it was called, in the place of the Spark.
        const SPARK_HOME = this.#standInSpark(sparkHome);
        return kindling.run({ argv: [command, ...args], env: { ...ourEnvironment, SPARK_HOME, ...env }, cwd });
      });
    const [warm, cold] = [new WarmKindling(files.worker, files.bundle), new ColdKindling(files.program)];
    this.#kindlings = [warm, cold];
    this.#ours = sideOf("ours", warm);
    this.#cold = sideOf("cold", cold);
  }

  /** Runs a case on both sides. */
  async run(kase: Case): Promise<{ readonly real: Outcome; readonly ours: Outcome }> {
    const [real, ours] = await Promise.all([this.#real.run(kase), this.#ours.run(kase)]);
    // On a busy machine a process may once take too long; a process that hangs will hang again.
    return {
      real: isBroken(real) ? await this.#real.run(kase) : real,
      ours: isBroken(ours) ? await this.#ours.run(kase) : ours,
    };
  }

  /** Runs a case with its own process of kindling. */
  runCold(kase: Case): Promise<Outcome> {
    return this.#cold.run(kase);
  }

  stop(): void {
    this.#spark.stop();
    for (const kindling of this.#kindlings) kindling.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #standInSpark(sparkHome: string): string {
    const home = join(this.#folder, "spark-home");
    const program = join(home, "bin", "spark-submit");
    mkdirSync(join(home, "bin"), { recursive: true });
    if (!readdirSync(join(home, "bin")).includes("spark-submit")) {
      writeFileSync(program, `#!/bin/sh\nprintf '%s\\0' "$@" > ${HANDED_OVER}\nexit 77\n`);
      chmodSync(program, 0o755);
      mkdirSync(join(home, "conf"), { recursive: true });
      writeFileSync(join(home, "README"), `in the place of ${sparkHome}\n`);
    }
    return home;
  }
}

/**
 * The version of the Spark in a folder.
 *
 * @throws KindlingError `ARGUMENT_INVALID` if there is none that runs on Kubernetes
 */
export function versionOf(sparkHome: string): string {
  let jars: string[] = [];
  try {
    jars = readdirSync(join(sparkHome, "jars"));
  } catch {
    // Reported below.
  }
  const version = jars.map((name) => /^spark-kubernetes_[\d.]+-(.+)\.jar$/.exec(name)?.[1]).find((found) => found);
  if (version !== undefined) return version;
  throw new KindlingError("ARGUMENT_INVALID", `${sparkHome} holds no Spark: there is no jars/spark-kubernetes_*.jar`, {
    hint: "name the folder that holds bin and jars",
  });
}
