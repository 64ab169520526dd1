import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runChild, type CommandContext, type CommandLine } from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { clusterOptions } from "../args/cluster-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import { takeDown } from "./down-command.ts";
import { launch } from "./launch.ts";

const require = createRequire(import.meta.url);

/**
 * `kindling dev run`. An instance that runs already is used, and left running. The exit code is the submission's.
 */
export async function runCommand(line: CommandLine, context: CommandContext): Promise<number> {
  const { operands, behindDashes: submission = [] } = line;
  if (submission.length === 0 || operands.length > submission.length) {
    throw new KindlingError("ARGUMENT_INVALID", "run needs what it shall submit", {
      hint: "write it behind --, as in kindling dev run -- --logs application.py",
    });
  }
  const options = clusterOptions(line, context.outside);
  const paths = statePaths(options.stateFolder);
  const running = await askStatus(paths.socket, context.outside.clock);
  if (running !== undefined) return await submit(running, submission, context);
  const chosen = await chooseSpark(options, context);
  const status = await launch({ ...options, chosen }, context);
  context.output.err(`the cluster is up at ${status.url}; its applications run on ${status.image}\n`);
  try {
    return await submit(status, submission, context);
  } finally {
    // Also when the user has interrupted: the cluster was for this one application.
    await takeDown(paths, { clock: context.outside.clock });
    context.output.err("the cluster has ended\n");
  }
}

function submit(
  { kubeconfig, confDir }: InstanceStatus,
  args: readonly string[],
  { outside: { env }, signal }: CommandContext,
): Promise<number> {
  const manifest = require.resolve("@kindling/submit-cli/package.json");
  const program = [join(dirname(manifest), "bin", "kindling.js"), "submit", ...args];
  const own = { KUBECONFIG: kubeconfig, SPARK_CONF_DIR: confDir };
  return runChild(process.execPath, program, { env: { ...env, ...own }, signal });
}
