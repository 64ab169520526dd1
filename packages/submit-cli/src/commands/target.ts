import { harmlessText } from "@kindling/core-spec";
import { openCluster, type OpenCluster, type Reach } from "@kindling/submit";
import { paint } from "@kindling/command-line";
import type { CommandContext } from "@kindling/command-line";

/** Connects to the cluster, and tells the user what is waited for. */
export function reachCluster(reach: Reach, { outside, output, secrets }: CommandContext): Promise<OpenCluster> {
  const tell = (message: string): void => output.err(`${paint(output, "yellow", "note:")} ${harmlessText(message)}\n`);
  return openCluster(reach, outside.env, tell, secrets);
}
