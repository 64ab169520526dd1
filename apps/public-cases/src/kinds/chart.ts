import { join } from "node:path";
import { runProgram } from "@kindling/recordings";
import type { Told } from "../judge.ts";
import type { Tools } from "../tools.ts";

/**
 * Renders the operator's chart with the `values.yaml` of a folder: the objects, then the notes, which Helm shows only if it
 * reaches a cluster. Nothing is installed.
 */
export async function runChart(folder: string, kubeconfig: string, tools: Tools): Promise<Told> {
  const chart = join(tools.root, "deploy", "helm", "kindling-operator");
  const options = { env: { ...tools.environment, KUBECONFIG: kubeconfig }, cwd: folder };
  const given = ["spark-operator", chart, "-n", "spark-operator", "-f", join(folder, "values.yaml")];
  // A kind that exists in the cluster that the values are for, but perhaps not in this one.
  const rendered = await runProgram(
    tools.helm,
    ["template", ...given, "--kube-version", "1.34", "-a", MONITORS],
    options,
  );
  const withNotes = ["--dry-run=client", "--set", "prometheus.podMonitor.create=false"];
  const installed = await runProgram(tools.helm, ["install", ...given, ...withNotes], options);
  const notes = installed.out.slice(installed.out.lastIndexOf("\nNOTES:"));
  const failed = [rendered, installed].find(({ exit }) => exit !== 0);
  return {
    text: `${rendered.out}${rendered.err}${notes}${installed.err}`,
    faults: failed === undefined ? [] : [`helm ended with ${failed.exit}: ${failed.err.split("\n")[0] ?? ""}`],
  };
}

const MONITORS = "monitoring.coreos.com/v1/PodMonitor";
