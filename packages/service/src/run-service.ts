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
  /** Resolves when running work has ended. */
  stop(): Promise<void>;
}

/** What a service is started with. */
export interface ServiceContext extends CommandContext {
  /** Reports why the service cannot continue, stops it, and makes its command fail. */
  readonly onFatal: (error: unknown) => void;
}

/**
 * Runs the command of a service: shows its help if asked to, else starts the service and stops it when the process is told to
 * end. Its log goes to stdout, messages for people go to stderr.
 *
 * @param start gets the arguments after the command's name; returns an exit code if there is nothing to run
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

/** Unexpected errors are logged completely, because a service cannot be asked for more details later. */
function isUnforeseen(error: unknown): boolean {
  return !isKindlingError(error);
}
