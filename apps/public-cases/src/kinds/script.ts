import { runProgram } from "@kindling/recordings";
import type { Told } from "../judge.ts";
import { copied, type Tools } from "../tools.ts";

/** Runs shell commands in a copy of the folder, and returns their output. */
export async function runScript(folder: string, script: string, tools: Tools): Promise<Told> {
  const env = {
    ...tools.environment,
    SPARK_HOME: tools.sparkHome("4.3.0"),
    KINDLING_ROOT: tools.root,
    ...(tools.kubeconfig !== undefined && { KUBECONFIG: tools.kubeconfig }),
  };
  const { exit, out, err } = await runProgram("sh", ["-c", script], { env, cwd: copied(folder, tools) });
  return { text: `${out}${err}`, faults: exit === 124 ? ["did not end in time"] : [] };
}
