import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  HELP_OPTION,
  VERBOSE_OPTION,
  type CommandLine,
  type CommandContext,
  type DeclaredCommand,
} from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { readCase, type Case } from "./cases/case.ts";
import { FEATURE_NAMES, generateCase, type GenerateOptions } from "./cases/generate.ts";
import { compare } from "./compare/compare.ts";
import { differential, judge, type Tally } from "./differential.ts";
import { caseText, kindText } from "./report.ts";
import { Bench, type BenchFiles } from "./run/bench.ts";
import { sparkKeys } from "./spark-keys.ts";

/** `npm run differential`. */
export const DIFFERENTIAL: DeclaredCommand = {
  name: "differential",
  summary: "give random command lines and files to the real spark-submit and to kindling submit, and tell what differs",
  options: [
    { name: "spark-home", value: "DIR", help: "a Spark with bin and jars, as often as wanted; SPARK_HOME if unset" },
    { name: "seed", value: "N", help: "what the cases are made of; 1 if unset" },
    { name: "count", value: "N", help: "how many cases; 200 if unset" },
    { name: "jobs", value: "N", help: "how many Sparks at a time, each a JVM of up to 1.2 GB; 1 if unset" },
    { name: "only", value: "FEATURE", help: `only cases with this, as often as wanted: ${FEATURE_NAMES.join(", ")}` },
    { name: "case", value: "SEED/N", help: "run one case, and show all of it" },
    { name: "replay", value: "FILE", help: "run the case of a file, such as --out writes, as often as wanted" },
    { name: "no-shrink", help: "do not look for the smallest case of each kind of difference" },
    { name: "out", value: "DIR", help: "write a file of each kind of difference" },
    {
      name: "self-check",
      value: "N",
      help: "run so many cases by a process of kindling for each instead, and compare with the warm one",
    },
    VERBOSE_OPTION,
    HELP_OPTION,
  ],
  examples: [
    "SPARK_HOME=/opt/spark npm run differential",
    "npm run differential -- --spark-home /opt/spark-3.5.9 --spark-home /opt/spark-4.3.0 --seed 7 --count 2000",
    "npm run differential -- --only driver-template --only volumes --out differences",
    "npm run differential -- --case 7/1234",
  ],
  load: () => Promise.resolve(run),
};

async function run(line: CommandLine, context: CommandContext): Promise<number> {
  const homes =
    line.values("spark-home").length > 0 ? line.values("spark-home") : [context.outside.env["SPARK_HOME"] ?? ""];
  if (homes.includes("")) {
    throw new KindlingError("ARGUMENT_INVALID", "which Spark? there is neither --spark-home nor SPARK_HOME", {
      hint: "name a folder with bin and jars",
    });
  }
  const waiting = [...homes];
  let worst = 0;
  const next = async (): Promise<void> => {
    for (let home = waiting.shift(); home !== undefined; home = waiting.shift())
      worst = Math.max(worst, await runBench(new Bench(home, benchFiles()), line, context));
  };
  await Promise.all(Array.from({ length: numberOf(line, "jobs", 1) }, next));
  return worst;
}

/** Runs the requested cases with one Spark, and leaves nothing behind. */
async function runBench(bench: Bench, line: CommandLine, context: CommandContext): Promise<number> {
  const stop = (): void => {
    bench.stop();
    process.exit(130);
  };
  context.signal.addEventListener("abort", stop);
  try {
    return await runOne(bench, line, context);
  } finally {
    context.signal.removeEventListener("abort", stop);
    bench.stop();
  }
}

async function runOne(bench: Bench, line: CommandLine, { output }: CommandContext): Promise<number> {
  const only = onlyOf(line);
  const options = { ...(only && { only }), sparkKeys: sparkKeys() };
  const singles = singleCases(line, options);
  if (singles.length > 0) {
    let unexplained = 0;
    for (const single of singles) {
      const judged = await judge(bench, single);
      unexplained += judged.unexplained.length;
      output.out(caseText(judged));
    }
    return unexplained === 0 ? 0 : 1;
  }
  const seed = numberOf(line, "seed", 1);
  const checked = line.value("self-check");
  const count = numberOf(line, checked === undefined ? "count" : "self-check", 200);
  const indices = Array.from({ length: count }, (_, index) => index);
  if (checked !== undefined)
    return selfCheck(
      bench,
      indices.map((index) => generateCase(seed, index, options)),
      output,
    );
  const folder = line.value("out");
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  let kinds = 0;
  const tally = await differential(bench, {
    ...options,
    ...{ seed, indices, shrinks: !line.has("no-shrink") },
    onCase(done) {
      if (output.interactive) output.rewrite(`Spark ${bench.sparkVersion}: ${done} of ${count} cases`);
    },
    onKind(found) {
      kinds += 1;
      if (output.interactive) output.rewrite("");
      output.out(kindText(found));
      if (folder !== undefined)
        writeFileSync(join(folder, `${bench.sparkVersion}-${kinds}.json`), `${JSON.stringify(found, undefined, 1)}\n`);
    },
  });
  if (output.interactive) output.rewrite("");
  output.out(`${lastLine(bench.sparkVersion, seed, count, tally)}\n`);
  return tally.unexplained === 0 ? 0 : 1;
}

/** The cases that were requested individually, if there are any. */
function singleCases(line: CommandLine, options: GenerateOptions): Case[] {
  const replayed = line.values("replay").map((file) => readCase(readFileSync(file, "utf8")));
  const single = line.value("case");
  if (single === undefined) return replayed;
  const [, seed, index] = /^(\d+)\/(\d+)$/.exec(single) ?? [];
  if (seed === undefined) throw new KindlingError("ARGUMENT_INVALID", `--case ${single}: must be SEED/NUMBER`);
  return [...replayed, generateCase(Number(seed), Number(index), options)];
}

function lastLine(
  version: string,
  seed: number,
  count: number,
  { equal, refused, explained, unexplained }: Tally,
): string {
  return `${version}  seed ${seed}  ${count} cases: ${equal} equal, ${refused} refused by both, ${explained} explained, ${unexplained} unexplained`;
}

/** Checks whether kindling in one permanent process does the same as a process for each command line. */
async function selfCheck(
  bench: Bench,
  cases: readonly Parameters<Bench["run"]>[0][],
  output: CommandContext["output"],
): Promise<number> {
  let same = 0;
  for (const kase of cases) {
    const [cold, { ours }] = [await bench.runCold(kase), await bench.run(kase)];
    const differing = compare(kase, cold, ours);
    if (differing.length === 0) same += 1;
    else output.out(`${kase.name}: ${differing.map(({ text }) => text).join("\n  ")}\n`);
  }
  output.out(`${same} of ${cases.length} cases come out the same in a process that stays and in one of their own\n`);
  return same === cases.length ? 0 : 1;
}

function onlyOf(line: CommandLine): readonly string[] | undefined {
  const only = line.values("only").flatMap((names) => names.split(","));
  const unknown = only.find((name) => !FEATURE_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new KindlingError("ARGUMENT_INVALID", `--only ${unknown}: there is no such feature`, {
      hint: `there are ${FEATURE_NAMES.join(", ")}`,
    });
  }
  return only.length === 0 ? undefined : only;
}

function numberOf(line: CommandLine, name: string, otherwise: number): number {
  const text = line.value(name);
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new KindlingError("ARGUMENT_INVALID", `--${name} ${text}: must be a whole number`);
}

function benchFiles(): BenchFiles {
  const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const cli = createRequire(import.meta.url).resolve("@kindling/submit-cli/package.json");
  return {
    warmSubmit: here("../warm/WarmSubmit.java"),
    worker: here("kindling-worker.js"),
    bundle: join(cli, "../dist/kindling.cjs"),
    program: join(cli, "../bin/kindling.js"),
  };
}
