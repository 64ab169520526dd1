import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { KindlingError } from "@kindling/core-spec";
import { clusterOptions } from "../args/cluster-options.ts";
import type { CommandUsage } from "../args/option-table.ts";
import { parseOptions } from "../args/parse-options.ts";
import { askStatus } from "../control/control-client.ts";
import type { InstanceStatus } from "../control/instance-status.ts";
import { chooseSpark } from "../spark/choose-spark.ts";
import { statePaths } from "../state/state-paths.ts";
import type { CommandContext } from "./context.ts";
import { takeDown } from "./down-command.ts";
import { launch } from "./launch.ts";

const require = createRequire(import.meta.url);

/**
 * `kindling dev run`. An instance that runs already is used, and left running. The exit code is the submission's.
 */
export async function runCommand(
  usage: CommandUsage,
  argv: readonly string[],
  context: CommandContext,
): Promise<number> {
  const end = argv.indexOf("--");
  if (end < 0 || end === argv.length - 1) {
    throw new KindlingError("ARGUMENT_INVALID", "run needs what it shall submit", {
      hint: "write it behind --, as in kindling dev run -- --logs application.py",
    });
  }
  const options = clusterOptions(parseOptions(usage, argv.slice(0, end)), context.env, context.cwd);
  const paths = statePaths(options.stateFolder);
  const running = await askStatus(paths.socket);
  if (running !== undefined) return await submit(running, argv.slice(end + 1), context);
  const chosen = await chooseSpark(options, context);
  const status = await launch({ ...options, chosen }, context);
  context.output.err(`the cluster is up at ${status.url}; its applications run on ${status.image}\n`);
  try {
    return await submit(status, argv.slice(end + 1), context);
  } finally {
    // Also when the user has interrupted: the cluster was for this one application.
    await takeDown(paths, new AbortController().signal);
    context.output.err("the cluster has ended\n");
  }
}

function submit(
  { kubeconfig, confDir }: InstanceStatus,
  args: readonly string[],
  { env, signal }: CommandContext,
): Promise<number> {
  const manifest = require.resolve("@kindling/submit-cli/package.json");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(dirname(manifest), "bin", "kindling.js"), "submit", ...args], {
      stdio: "inherit",
      env: { ...env, KUBECONFIG: kubeconfig, SPARK_CONF_DIR: confDir },
    });
    // A terminal sends its interrupt to both processes; what only this one was told is passed on.
    const passOn = (): void => void (signal.reason === "SIGTERM" && child.kill("SIGTERM"));
    signal.addEventListener("abort", passOn);
    child.on("error", reject);
    child.on("close", (code, ending) => resolve(code ?? 128 + (ending === null ? 0 : constants.signals[ending])));
  });
}
