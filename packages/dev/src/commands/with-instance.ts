import type { CommandContext, CommandLine } from "@kindling/command-line";
import { clusterOptions } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import { takeDown } from "./down-command.ts";
import { launch } from "./launch.ts";

/** Passes the running instance to a function; if there is none, starts one for the time of the call. */
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
    // Also after an interrupt: the cluster was only for this application.
    await takeDown(paths, { clock: context.outside.clock });
    context.output.err("the cluster has ended\n");
  }
}
