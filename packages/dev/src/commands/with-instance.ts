import type { CommandContext } from "@kindling/command-line";
import type { ClusterOptions } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark, type ChosenSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import { takeDown } from "./down-command.ts";
import { launch } from "./launch.ts";

/** What is done with an instance. */
export interface InstanceUse {
  /**
   * Called with the Spark of the instance, before anything is started.
   *
   * @param isUp whether the instance runs already
   * @throws KindlingError if it cannot be used
   */
  readonly check?: (spark: ChosenSpark, isUp: boolean) => void;
  readonly use: (instance: InstanceStatus) => Promise<number>;
}

/** Passes the running instance to a function; if there is none, starts one for the time of the call. */
export async function withInstance(
  options: ClusterOptions,
  context: CommandContext,
  { check = () => undefined, use }: InstanceUse,
): Promise<number> {
  const paths = statePaths(options.stateFolder);
  const running = await askStatus(paths.socket, context.outside.clock);
  if (running !== undefined) {
    check(running.spark, true);
    return await use(running);
  }
  const chosen = await chooseSpark(options, context);
  check(chosen, false);
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
