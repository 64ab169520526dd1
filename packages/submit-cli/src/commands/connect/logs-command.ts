import type { CommandContext, CommandLine } from "@kindling/command-line";
import { CONNECT_PROFILE_LABEL, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { isObjectNotFound, resources } from "@kindling/kube";
import { applicationLog, clusterError } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import { logOptions, logsCommand } from "../logs-command.ts";
import { oneApplication } from "../one-application.ts";
import { reachOf } from "../reach-options.ts";
import { reachCluster } from "../target.ts";

/** `kindling connect logs`: as `kindling logs`, and also for a driver that is no Spark. */
export async function logsOfDriver(line: CommandLine, context: CommandContext): Promise<number> {
  const { name, namespace } = oneApplication(line, "logs is about one driver: name it as kindling connect ls does");
  const options = logOptions(line, context);
  const { client } = await reachCluster(reachOf(line), context);
  try {
    const pod = await client.get<Pod>(resources.pods, name, { namespace }).catch((error: unknown) => {
      if (isObjectNotFound(error, resources.pods, name)) return undefined;
      throw error;
    });
    if (pod === undefined || !isOfAnotherEngine(pod)) return await logsCommand(line, context);
    for await (const text of applicationLog(client, pod, options)) context.output.log(text);
    return 0;
  } catch (error) {
    throw clusterError(error);
  } finally {
    client.close();
  }
}

function isOfAnotherEngine({ metadata: { labels = {} } = {} }: Pod): boolean {
  return labels[CONNECT_PROFILE_LABEL] !== undefined && labels[SPARK_ROLE_LABEL] === undefined;
}
