import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseExpectations, type Expectation } from "./expectation.ts";
import { judge, type Told } from "./judge.ts";
import { Operator } from "./kinds/application.ts";
import { runChart } from "./kinds/chart.ts";
import { runDiagnosis } from "./kinds/diagnosis.ts";
import { runScript } from "./kinds/script.ts";
import { runSubmission } from "./kinds/submission.ts";
import { makeTools, type Tools } from "./tools.ts";

const HELP = `Runs folders of public reports and files, and prints a line for each: right, wrong, or left out.

Usage: npm run public-cases -- [flags] FOLDER...

FOLDER is a case, or a folder of cases. What is in it says what it is:
  evidence.yaml, driver.log   what a cluster and a driver's log show, for the diagnosis
  case.json                   a submission, for kindling and for the real spark-submit
  values.yaml                 values of the operator's chart; needs KUBECONFIG and helm (PATH or KINDLING_HELM)
  app.yaml, gen.py            SparkApplications, for the operator; needs KUBECONFIG and kubectl
  run.sh                      shell commands; so are those that the expectations name

Flags:
  --expected FILE  YAML: what has to be said of each case. Default: expected.yaml of this program
  --sparks DIR     a folder that has a Spark for each version, named by it. Default: SPARKS
  --verbose        what was said, below each line
  --help           this text

Examples:
  npm run public-cases -- --sparks /opt/sparks cases/
  KUBECONFIG=admin.conf npm run public-cases -- cases/o01-init-container
`;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      expected: { type: "string" },
      sparks: { type: "string" },
      verbose: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true || positionals.length === 0) {
    process.stdout.write(HELP);
    return values.help === true ? 0 : 2;
  }
  const file = values.expected ?? fileURLToPath(new URL("../expected.yaml", import.meta.url));
  const expectations = parseExpectations(readFileSync(file, "utf8"));
  const tools = makeTools(ROOT, values.sparks ?? process.env["SPARKS"] ?? "", process.env);
  const cases = new Cases(tools);
  const counts = { right: 0, wrong: 0, "left out": 0 };
  try {
    for (const folder of positionals.flatMap(casesIn)) {
      const name = basename(folder);
      const { verdict, remarks, text } = await cases.run(folder, expectations.get(name));
      counts[verdict] += 1;
      process.stdout.write(`${verdict.padEnd(8)}  ${name}${remarks.length > 0 ? `: ${remarks.join("; ")}` : ""}\n`);
      if (values.verbose === true) process.stdout.write(`${text.replace(/^/gm, "    ")}\n`);
    }
  } finally {
    await cases.stop();
    tools.remove();
  }
  process.stdout.write(`${counts.right} right, ${counts.wrong} wrong, ${counts["left out"]} left out\n`);
  return counts.wrong === 0 ? 0 : 1;
}

interface Result {
  readonly verdict: "right" | "wrong" | "left out";
  readonly remarks: readonly string[];
  readonly text: string;
}

class Cases {
  readonly #tools: Tools;
  #operator: Operator | undefined;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async run(folder: string, expected: Expectation | undefined): Promise<Result> {
    const told = await this.#told(folder, expected);
    if (typeof told === "string") return { verdict: "left out", remarks: [told], text: "" };
    const remarks = judge(told, expected);
    return { verdict: remarks.length === 0 ? "right" : "wrong", remarks, text: told.text };
  }

  async stop(): Promise<void> {
    await this.#operator?.stop();
  }

  /** The result of a case, or why it cannot be run here. */
  async #told(folder: string, expected: Expectation | undefined): Promise<Told | string> {
    const has = (name: string): boolean => existsSync(join(folder, name));
    if (has("case.json")) return await runSubmission(folder, this.#tools, expected?.alone);
    if (expected === undefined) return "nothing is expected of it";
    if (has("evidence.yaml")) return runDiagnosis(folder);
    if (expected.run !== undefined) return await runScript(folder, expected.run, this.#tools);
    if (has("run.sh")) return await runScript(folder, readFileSync(join(folder, "run.sh"), "utf8"), this.#tools);
    if (!has("values.yaml") && !has("app.yaml") && !has("gen.py")) return "it has nothing to run";
    const { kubeconfig } = this.#tools;
    if (kubeconfig === undefined) return "it needs KUBECONFIG";
    if (has("values.yaml")) return await runChart(folder, kubeconfig, this.#tools);
    this.#operator ??= await new Operator(this.#tools, kubeconfig).start();
    return await this.#operator.run(folder, expected.objects);
  }
}

const FILES = ["case.md", "case.json", "evidence.yaml", "values.yaml", "app.yaml", "run.sh"];

function casesIn(folder: string): string[] {
  const path = resolve(folder);
  if (FILES.some((name) => existsSync(join(path, name)))) return [path];
  if (!statSync(path).isDirectory()) return [];
  return readdirSync(path)
    .filter((name) => name !== "random" && statSync(join(path, name)).isDirectory())
    .map((name) => join(path, name));
}

process.exitCode = await main();
