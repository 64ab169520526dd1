import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import type { Ran } from "@kindling/recordings";
import { runningDriverConf } from "@kindling/steps";
import { isBroken } from "./ran.ts";

const INTEGER_BYTES = 4;
/** After this many command lines, a JVM is replaced by a new one: it cannot free everything that they leave. */
const MOST_RUNS = 1500;

/** A Spark on this machine. */
export interface SparkHome {
  readonly folder: string;
  readonly version: string;
}

/** The real spark-submit of one Spark, in one permanent JVM. */
export class WarmSpark {
  readonly #spark: SparkHome;
  readonly #classes: string;
  readonly #folder: string;
  #jvm: ChildProcess | undefined;
  #answers: AsyncIterator<Buffer> | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #runs = 0;

  /**
   * @param classes the folder with the classes of {@link compileWarmSubmit}
   * @param folder where all command lines run: a JVM cannot change its folder
   */
  constructor(spark: SparkHome, classes: string, folder: string) {
    this.#spark = spark;
    this.#classes = classes;
    this.#folder = folder;
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
    if (this.#jvm === undefined || this.#runs >= MOST_RUNS) this.#start();
    this.#runs += 1;
    const texts = [String(args.length), ...args, ...Object.entries(env).map(([key, value]) => `${key}=${value}`)];
    const body = Buffer.from(`${texts.join("\0")}\0`);
    const length = Buffer.alloc(INTEGER_BYTES);
    length.writeInt32BE(body.length);
    this.#jvm?.stdin?.write(Buffer.concat([length, body]));
    try {
      const exit = (await this.#read(INTEGER_BYTES)).readInt32BE();
      const out = await this.#text();
      const err = await this.#text();
      // A JVM that hangs or is broken cannot be used any more.
      if (isBroken({ exit })) this.stop();
      return { exit, out, err };
    } catch {
      this.stop();
      return { exit: 125, out: "", err: "the JVM ended" };
    }
  }

  stop(): void {
    this.#jvm?.kill("SIGKILL");
    this.#jvm = undefined;
  }

  #start(): void {
    this.stop();
    const options = [
      "-Djava.security.manager=allow",
      "-Xmx1200m",
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      ...openedBy(this.#spark.version),
    ];
    const path = `${this.#classes}:${this.#spark.folder}/jars/*`;
    this.#jvm = spawn("java", [...options, "-cp", path, "WarmSubmit"], {
      cwd: this.#folder,
      env: { PATH: process.env["PATH"], HOME: this.#folder, LANG: "C.UTF-8" },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#jvm.stdin?.on("error", () => undefined);
    this.#answers = this.#jvm.stdout?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#pending = Buffer.alloc(0);
    this.#runs = 0;
  }

  async #text(): Promise<string> {
    return (await this.#read((await this.#read(INTEGER_BYTES)).readInt32BE())).toString("utf8");
  }

  async #read(length: number): Promise<Buffer> {
    while (this.#pending.length < length) {
      const next = await this.#answers?.next();
      if (next === undefined || next.done === true) throw new Error("no more");
      this.#pending = Buffer.concat([this.#pending, next.value]);
    }
    const read = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    return read;
  }
}

/**
 * Packages of Java that Spark opens for itself; two of them, `java.lang` and `java.util`, are needed to change the
 * environment.
 */
function openedBy(sparkVersion: string): readonly string[] {
  const options = runningDriverConf({}, sparkVersion)["spark.executor.extraJavaOptions"] ?? "";
  return options.split(" ").filter((option) => option.startsWith("--add-opens="));
}

/**
 * Compiles the class that runs in the JVM.
 *
 * @throws KindlingError if there is no JDK 17
 */
export function compileWarmSubmit(source: string, folder: string): string {
  const classes = join(folder, "classes");
  mkdirSync(classes);
  const { status, error, stderr } = spawnSync("javac", ["-nowarn", "-d", classes, source], { encoding: "utf8" });
  if (status === 0) return classes;
  throw new KindlingError("UNSUPPORTED", `javac failed: ${error?.message ?? stderr.trim()}`, {
    hint: "a JDK 17 must be on the PATH",
  });
}
