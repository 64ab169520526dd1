import { readFileSync } from "node:fs";
import { asksForHelp, commandHelp, type CommandContext, runProcess } from "@kindling/command-line";
import { isKindlingError, KindlingError, messageOf } from "@kindling/core-spec";
import { createKubeClient, isKubeError, type KubeClient, loadClusterAccess } from "@kindling/kube";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import type { ServeConfig } from "./config/serve-config.ts";
import { readDefaults } from "./server/defaults.ts";
import { startSubmissionServer } from "./server/submission-server.ts";

/** The command `kindling-serve`. Its log goes to stdout, what it says to people to stderr. */
async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const { outside, output, signal } = context;
  if (asksForHelp(args)) {
    output.out(commandHelp(USAGE, USAGE.name, output.onOut));
    return 0;
  }
  const config = loadConfig({ args, env: outside.env, readFile });
  const defaults = readDefaults(config["submit.defaultsFile"], readFile);
  const steps = await loadSteps(config["submit.steps"], outside.cwd, "submit.steps");
  const client = await connect(config);
  const server = await startSubmissionServer(config, { outside, client, defaults, steps, log: process.stdout });
  // A service that was told to stop while it started, stops when it has.
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  await server.stop();
  client.close();
  return 0;
}

/** Asks nothing of the cluster yet: a service starts while its API server is away. */
async function connect(config: ServeConfig): Promise<KubeClient> {
  try {
    const access = await loadClusterAccess({ kubeconfigPath: config["cluster.kubeconfig"] });
    return createKubeClient(access, { userAgent: "kindling-serve" });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    throw new KindlingError("KUBECONFIG_INVALID", error.message, {
      hint: "name one with cluster.kubeconfig",
      cause: error,
    });
  }
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

// What nobody foresaw is told whole: nobody can ask a service again for more.
void runProcess(main, { verbose: (_, error) => !isKindlingError(error) });
