import { type CommandContext, type CommandLine, formatObject, formatOf } from "@kindling/command-line";
import { appNameLabel, harmlessText, KindlingError, quotedName } from "@kindling/core-spec";
import {
  MEMORY_RUNS_ENTRY,
  memoryRunsName,
  type MemoryProposal,
  type MemoryRun,
  parseMemoryRuns,
  proposeMemory,
} from "@kindling/gateway-client";
import { isNotFound, type KubeClient, resources } from "@kindling/kube";
import { clusterError } from "@kindling/submit";
import { configurationOf, tunePage } from "../output/tune-page.ts";
import { REPORT_FORMATS } from "./output-formats.ts";
import { reachOf } from "./reach-options.ts";
import { reachCluster } from "./target.ts";

/** `kindling tune NAME`: what runs of an application needed of memory, and what the next run should ask for. */
export async function tuneCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const format = formatOf(line, REPORT_FORMATS);
  const [name = ""] = line.operands;
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const runs = await runsOf(client, name);
    const proposal = proposeMemory(runs);
    context.output.out(format === "table" ? tunePage(name, runs, proposal) : await documentOf(runs, proposal, format));
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

async function runsOf(client: KubeClient, name: string): Promise<readonly MemoryRun[]> {
  try {
    const { data } = await client.get(resources.configmaps, memoryRunsName(appNameLabel(name)));
    return parseMemoryRuns(data?.[MEMORY_RUNS_ENTRY]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const where = `in namespace ${client.namespace}`;
    throw new KindlingError("OBJECT_NOT_FOUND", `no run of ${quotedName(harmlessText(name))} is remembered ${where}`, {
      hint: "applications with spark.kindling.memory=heal or learn are remembered by their name when they end; correct the name or -n",
    });
  }
}

async function documentOf(
  runs: readonly MemoryRun[],
  proposal: MemoryProposal | undefined,
  format: "json" | "yaml",
): Promise<string> {
  const proposed = proposal && { ...proposal, configuration: configurationOf(proposal.size) };
  return await formatObject({ proposal: proposed ?? null, runs: [...runs] }, format);
}
