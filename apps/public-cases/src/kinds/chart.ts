import { join } from "node:path";
import type { Told } from "../judge.ts";
import { runProgram } from "../run-program.ts";
import type { Tools } from "../tools.ts";

/** Renders the operator's chart with the `values.yaml` of a folder: the objects, then the notes. */
export async function runChart(folder: string, tools: Tools): Promise<Told> {
  const chart = join(tools.root, "deploy", "helm", "kindling-operator");
  const args = ["install", "spark-operator", chart, "-n", "spark-operator", "--dry-run=client", "-f"];
  const ran = await runProgram(tools.helm, [...args, join(folder, "values.yaml")], {
    env: tools.environment,
    cwd: folder,
  });
  const text = `${ran.out}${ran.err}`;
  return { text, faults: ran.exit === 0 ? [] : [`helm ended with ${ran.exit}: ${ran.err.split("\n")[0] ?? ""}`] };
}
