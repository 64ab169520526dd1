import type { CommandContext, CommandLine } from "@kindling/command-line";
import { clusterOptions } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import { takeDown } from "./down-command.ts";
import { launch } from "./launch.ts";

/** Hands over the instance that runs; without one, an instance that lives as long as it is used. */
export async function withInstance(
  line: CommandLine,
  context: CommandContext,
  use: (instance: InstanceStatus) => Promise<number>,
): Promise<number> {
  const options = clusterOptions(line, context.outside);
  const paths = statePaths(options.stateFolder);
  const running = await askStatus(paths.socket, context.outside.clock);
  if (running !== undefined) return await use(running);
  const chosen = await chooseSpark(options, context);
  const status = await launch({ ...options, chosen }, context);
  context.output.err(`the cluster is up at ${status.url}; its applications run on ${status.image}\n`);
  try {
    return await use(status);
  } finally {
    // Also when the user has interrupted: the cluster was for this one application.
    await takeDown(paths, { clock: context.outside.clock });
    context.output.err("the cluster has ended\n");
  }
}
