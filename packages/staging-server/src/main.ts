import { asksForHelp, commandHelp, printError, runProcess, type CommandContext } from "@kindling/command-line";
import { isKindlingError } from "@kindling/core-spec";
import { readText, untilStopped } from "@kindling/service";
import { connectCluster } from "./cluster/connect-cluster.ts";
import { loadConfig } from "./config/load-config.ts";
import { USAGE } from "./config/program.ts";
import { startStagingServer } from "./server/staging-server.ts";

/** The command `kindling-staging-server`. Its log goes to stdout, what it says to people to stderr. */
async function main(args: readonly string[], context: CommandContext): Promise<number> {
  const {
    outside: { clock, random, env },
    output,
    signal,
  } = context;
  if (asksForHelp(args)) {
    output.out(commandHelp(USAGE, USAGE.name, output.onOut));
    return 0;
  }
  const config = loadConfig({ args, env, readFile: readText });
  let end: (code: number) => void = () => undefined;
  const ended = new Promise<number>((resolve) => (end = resolve));
  const server = await startStagingServer(config, {
    clock,
    random,
    env,
    log: process.stdout,
    connectCluster,
    onFatal(error) {
      printError(error, output, isUnforeseen(error));
      end(1);
    },
  });
  const code = await Promise.race([ended, untilStopped(signal).then(() => 0)]);
  await server.stop();
  return code;
}

/** What nobody foresaw is told whole: nobody can ask a server again for more. */
function isUnforeseen(error: unknown): boolean {
  return !isKindlingError(error);
}

void runProcess(main, { verbose: (_, error) => isUnforeseen(error) });
