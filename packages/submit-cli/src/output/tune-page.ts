import { harmlessText } from "@kindling/core-spec";
import type { MemoryProposal, MemoryRun, MemorySize } from "@kindling/gateway-client";
import { table } from "./table.ts";

/** What runs of an application needed of memory, and what the next run should ask for. */
export function tunePage(name: string, runs: readonly MemoryRun[], proposal: MemoryProposal | undefined): string {
  const rows = runs.map((run) => [
    run.at,
    run.hasSucceeded ? "succeeded" : "failed",
    String(run.executors),
    sizeText(run.began),
    sizeText(run.ended),
    run.peak === undefined ? "" : sizeText(run.peak),
  ]);
  const head = ["ENDED", "STATE", "EXECUTORS", "HEAP/POD", "AT THE END", "USED"];
  return `${table([head, ...rows])}\n${proposalText(harmlessText(name), proposal)}`;
}

/** The keys of the configuration for a size. */
export function configurationOf({ heap, total }: MemorySize): Readonly<Record<string, string>> {
  return { "spark.executor.memory": `${heap}m`, "spark.executor.memoryOverhead": `${total - heap}m` };
}

function proposalText(name: string, proposal: MemoryProposal | undefined): string {
  if (proposal === undefined)
    return `nothing is proposed for ${name}: its executors have what they need, or too few runs tell\n`;
  const { size, runs, isMeasured, saved } = proposal;
  const flags = Object.entries(configurationOf(size)).map(([key, value]) => `--conf ${key}=${value}`);
  const basis = isMeasured
    ? "by what they used, with a margin"
    : "by what executors needed that had ended for lack of memory";
  const effect =
    saved === 0
      ? "it takes as much memory as the last run did at its end"
      : `it takes ${Math.abs(saved)} MiB ${saved > 0 ? "less" : "more"} than the last run did at its end, with all executors together`;
  return `${flags.join(" ")}\nrests on ${runs} run${runs === 1 ? "" : "s"}, ${basis}; ${effect}\n`;
}

function sizeText({ heap, total }: MemorySize): string {
  return `${heap}/${total} MiB`;
}
