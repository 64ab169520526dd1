import { asksForHelp, commandHelp, type CommandContext, runProcess } from "@kindling/command-line";
import { isKindlingError } from "@kindling/core-spec";
import { connect, readText, untilStopped } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { readDefaults } from "./server/defaults.ts";
import { startSubmissionServer } from "./server/submission-server.ts";

/** The command `kindling-serve`. Its log goes to stdout, what it says to people to stderr. */
async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const { outside, output, signal } = context;
  if (asksForHelp(args)) {
    output.out(commandHelp(USAGE, USAGE.name, output.onOut));
    return 0;
  }
  const config = loadConfig({ args, env: outside.env, readFile: readText });
  const defaults = readDefaults(config["submit.defaultsFile"], readText);
  const steps = await loadSteps(config["submit.steps"], outside.cwd, "submit.steps");
  const client = await connect(config["cluster.kubeconfig"], "kindling-serve");
  const server = await startSubmissionServer(config, { outside, client, defaults, steps, log: process.stdout });
  await untilStopped(signal);
  await server.stop();
  client.close();
  return 0;
}

// What nobody foresaw is told whole: nobody can ask a service again for more.
void runProcess(main, { verbose: (_, error) => !isKindlingError(error) });
