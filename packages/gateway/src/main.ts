import { asksForHelp, commandHelp, type CommandContext, runProcess } from "@kindling/command-line";
import { isKindlingError } from "@kindling/core-spec";
import { connect, readText, untilStopped } from "@kindling/service";
import { loadSteps } from "@kindling/steps/modules";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startGateway } from "./server/gateway.ts";

/** The command `kindling-gateway`. Its log goes to stdout, what it says to people to stderr. */
async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const {
    outside: { clock, random, env, cwd },
    output,
    signal,
  } = context;
  if (asksForHelp(args)) {
    output.out(commandHelp(USAGE, USAGE.name, output.onOut));
    return 0;
  }
  const config = loadConfig({ args, env, readFile: readText });
  const steps = await loadSteps(config["executors.steps"], cwd, "executors.steps");
  const client = await connect(config["cluster.kubeconfig"], "kindling-gateway");
  const gateway = await startGateway(config, { clock, random, client, steps, log: process.stdout });
  await untilStopped(signal);
  await gateway.stop();
  client.close();
  return 0;
}

// What nobody foresaw is told whole: nobody can ask a server again for more.
void runProcess(main, { verbose: (_, error) => !isKindlingError(error) });
