import type { CommandContext, CommandLine } from "@kindling/command-line";
import type { KubeClient, ResourceType } from "@kindling/kube";
import { reachOf } from "../reach-options.ts";
import { reachCluster } from "../target.ts";
import { operatorError } from "./operator-error.ts";

/**
 * Does something with the cluster of a command line.
 *
 * @param type the resource type, for the error if the cluster does not know it
 * @throws KindlingError
 */
export async function onCluster(
  line: CommandLine,
  context: CommandContext,
  type: ResourceType,
  act: (client: KubeClient) => Promise<number>,
): Promise<number> {
  const { client } = await reachCluster(reachOf(line), context);
  try {
    return await act(client);
  } catch (error) {
    throw operatorError(error, type);
  } finally {
    client.close();
  }
}
