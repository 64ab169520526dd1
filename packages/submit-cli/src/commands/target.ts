import { harmlessText } from "@kindling/core-spec";
import { openCluster, type OpenCluster, type Reach } from "@kindling/submit";
import { printNotice, type CommandContext } from "@kindling/command-line";

/** Reaches the cluster, and tells the user what is waited for. */
export function reachCluster(reach: Reach, { env, output, secrets }: CommandContext): Promise<OpenCluster> {
  const tell = (message: string): void => printNotice(harmlessText(message), output);
  return openCluster(reach, env, tell, secrets);
}
