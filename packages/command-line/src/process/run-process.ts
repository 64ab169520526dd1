import { createRedactor, exitCodeOf, isInterruption } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import type { CommandContext } from "../command-context.ts";
import { streamOutput } from "../output/output.ts";
import { printError } from "../output/print-error.ts";
import { asksForCauses } from "../parse/asks-for-causes.ts";
import { confirmOnTerminal } from "./confirm.ts";
import { onFirstSignal } from "./first-signal.ts";

export interface ProcessOptions {
  /** Replaces secrets. Default: three asterisks. */
  readonly mark?: string;
  /** The signals that abort. Default: SIGINT and SIGTERM. */
  readonly signals?: readonly NodeJS.Signals[];
  /** Whether to print the causes of an error. Default: as `--verbose` says. */
  readonly verbose?: (argv: readonly string[], error: unknown) => boolean;
}

/**
 * Runs this process's own command line, and sets its exit code: that of the command, or that of the error that ended it; the
 * error is printed. The first signal aborts the context's signal; a second one ends the process at once.
 */
export async function runProcess(
  main: (argv: readonly string[], context: CommandContext) => Promise<number>,
  options: ProcessOptions = {},
): Promise<void> {
  const { mark, signals = ["SIGINT", "SIGTERM"], verbose = asksForCauses } = options;
  const argv = process.argv.slice(2);
  const outside = systemOutside();
  const secrets = createRedactor(mark);
  const output = streamOutput(process, outside.env, secrets);
  const interrupt = new AbortController();
  const release = onFirstSignal(signals, (name) => interrupt.abort(name));
  const { stdout, stderr } = process;
  // A reader that closes the pipe, such as `head`, is no error. A closed stderr is no error either.
  stdout.on("error", () => process.exit(process.exitCode ?? 0));
  stderr.on("error", () => undefined);
  const context: CommandContext = {
    ...{ outside, output, secrets, signal: interrupt.signal },
    // A getter, because Node creates the input stream on the first access, which takes a while.
    get confirm() {
      return stderr.isTTY && process.stdin.isTTY
        ? (question: string) => confirmOnTerminal(question, interrupt)
        : undefined;
    },
  };
  try {
    process.exitCode = await main(argv, context);
  } catch (error) {
    if (!isInterruption(error)) printError(error, output, verbose(argv, error));
    process.exitCode = exitCodeOf(error);
  } finally {
    release();
  }
}
