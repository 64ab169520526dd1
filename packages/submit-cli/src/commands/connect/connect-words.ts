import { CONNECT_PROFILE_LABEL } from "@kindling/core-spec";
import { type KubeClient, resources } from "@kindling/kube";
import { CONNECT } from "./connect-table.ts";

/** Asks the cluster of the command line. */
type AskCluster = (
  ask: (client: KubeClient, signal: AbortSignal) => Promise<readonly string[]>,
) => Promise<readonly string[]>;

/**
 * What the next word of a command line `kindling connect …` may be: a command of its own, or a driver.
 *
 * @param typed the present words, as for `kindling app`
 */
export async function connectWords(typed: readonly string[], askCluster: AskCluster): Promise<readonly string[]> {
  const isBash = typed[0] === "connect";
  const [, ...words] = isBash ? typed.slice(0, -1) : typed.slice(typed.indexOf("connect"));
  const [command] = words;
  if (command === undefined) return CONNECT.commands.map(({ name }) => name);
  const takesNames = command === "stop" || command === "logs";
  if (!takesNames) return [];
  return await askCluster(async (client, signal) => {
    const { items } = await client.listAll(resources.pods, {
      labelSelector: CONNECT_PROFILE_LABEL,
      resourceVersion: "0",
      signal,
    });
    return items.map(({ metadata }) => metadata?.name ?? "");
  });
}
