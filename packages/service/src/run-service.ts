import {
  asksForHelp,
  commandHelp,
  printError,
  runProcess,
  type CommandContext,
  type CommandUsage,
} from "@kindling/command-line";
import { isKindlingError } from "@kindling/core-spec";
import { untilStopped } from "./until-stopped.ts";

/** A service that has been started. */
export interface RunningService {
  /** Resolves when it has ended what was under way. */
  stop(): Promise<void>;
}

/** What a service is started with. */
export interface ServiceContext extends CommandContext {
  /** Tells why the service cannot go on, stops it, and has its command fail. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * Runs the command of a service: shows its help if asked to, else starts the service and stops it when the process is told
 * to end. Its log goes to stdout, what it says to people to stderr.
 *
 * @param start given what follows the command's name; answers an exit code where there is nothing to be run
 */
export function runService(
  usage: CommandUsage,
  start: (args: readonly string[], context: ServiceContext) => Promise<RunningService | number>,
): void {
  async function main(args: readonly string[], context: CommandContext): Promise<number> {
    const { output, signal } = context;
    if (asksForHelp(args)) {
      output.out(commandHelp(usage, usage.name, output.onOut));
      return 0;
    }
    let end: (code: number) => void = () => undefined;
    const ended = new Promise<number>((resolve) => (end = resolve));
    const onFatal = (error: unknown): void => {
      printError(error, output, isUnforeseen(error));
      end(1);
    };
    const service = await start(args, { ...context, onFatal });
    if (typeof service === "number") return service;
    const code = await Promise.race([ended, untilStopped(signal).then(() => 0)]);
    await service.stop();
    return code;
  }
  void runProcess(main, { verbose: (_, error) => isUnforeseen(error) });
}

/** What nobody foresaw is told whole: nobody can ask a service again for more. */
function isUnforeseen(error: unknown): boolean {
  return !isKindlingError(error);
}
