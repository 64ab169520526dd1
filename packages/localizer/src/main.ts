import { asksForHelp, commandHelp, onFirstSignal, parseCommandLine, type CommandUsage } from "@kindling/command-line";
import { createRedactor, isKindlingError, type Redactor } from "@kindling/core-spec";
import { backgroundClock, systemOutside } from "@kindling/outside";
import { TERMINATION_LOG_VARIABLE } from "./config/environment.ts";
import type { ResolvedConfig } from "./config/localizer-config.ts";
import { loadConfig } from "./load-config.ts";
import { isLocalizerError, LocalizerError, REASONS } from "./report/localizer-error.ts";
import { shownText } from "./report/shown-text.ts";
import { openTerminationLog, type TerminationLog } from "./report/termination-log.ts";

const USAGE: CommandUsage = {
  name: "kindling-localizer",
  summary: "bring the files that CONFIG (JSON, or the old fork's spark-init.properties) names to their places, and end",
  operands: { shown: "CONFIG" },
  options: [{ name: "help", short: "h", help: "this text" }],
  examples: ["kindling-localizer /etc/kindling/localizer.json"],
};

const DEFAULT_TERMINATION_LOG = "/dev/termination-log";

/** How long running work may take to stop when the process gets a signal: partial files are safe at any point. */
const STOP_MS = 500;
/** The same after an unexpected fault, with time to clean up. */
const FAULT_STOP_MS = 20_000;

const MOST_STACK_LINES = 20;

async function main(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) {
    process.stdout.write(commandHelp(USAGE, USAGE.name, { colors: false }));
    return;
  }
  // All users of the pod must be able to read the directories, whatever the umask was before.
  process.umask(0o022);
  const redactor = createRedactor();
  const path = process.env[TERMINATION_LOG_VARIABLE] || DEFAULT_TERMINATION_LOG;
  let terminationLog = openTerminationLog(path, redactor);
  const end = (error: unknown): void => {
    // The first reason counts.
    if (process.exitCode === undefined) fail(error, terminationLog, redactor);
  };
  const signal = stopSignal(end);
  try {
    const config = loadConfig(operandsOf(args), process.env);
    if (config.terminationLog !== path) {
      terminationLog.clear();
      terminationLog = openTerminationLog(config.terminationLog, redactor);
    }
    if (config.files.length > 0) await run(config, redactor, signal);
    else process.stderr.write("nothing to do\n");
    terminationLog.clear();
  } catch (error) {
    end(error);
  }
}

/** @throws LocalizerError `config` for unknown options */
function operandsOf(args: readonly string[]): readonly string[] {
  try {
    return parseCommandLine(USAGE, args, USAGE.name).operands;
  } catch (error) {
    if (!isKindlingError(error)) throw error;
    throw new LocalizerError("config", error.message, { hint: error.hint, cause: error });
  }
}

/**
 * Aborts with the reason when the process gets a signal to stop, and after an uncaught error. If the work does not stop
 * in time, the process is ended.
 */
function stopSignal(end: (error: unknown) => void): AbortSignal {
  const stop = new AbortController();
  const stopWithin = (milliseconds: number, reason: LocalizerError): void => {
    stop.abort(reason);
    const exit = (): void => {
      end(reason);
      process.exit();
    };
    backgroundClock.after(milliseconds, exit);
  };
  onFirstSignal(["SIGTERM", "SIGINT"], () => stopWithin(STOP_MS, new LocalizerError("interrupted", "told to stop")));
  for (const fault of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(fault, (error: unknown) => stopWithin(FAULT_STOP_MS, unforeseen(error)));
  }
  // The reader of the log may be gone before the files are here.
  process.stderr.on("error", () => undefined);
  return stop.signal;
}

/** The code for the network is loaded only now, because loading it takes most of the start. */
async function run(config: ResolvedConfig, redactor: Redactor, signal: AbortSignal): Promise<void> {
  const [{ localize }, { lineReporter }] = await Promise.all([
    import("./localize.ts"),
    import("./report/line-reporter.ts"),
  ]);
  const outside = systemOutside();
  const reporter = lineReporter({ write: (line) => process.stderr.write(line), clock: outside.clock, redactor });
  try {
    await localize(config, { ...outside, reporter, redactor, signal });
    reporter.finish("done");
  } catch (error) {
    reporter.finish("failed");
    throw error;
  }
}

function unforeseen(error: unknown): LocalizerError {
  return new LocalizerError("internal", "this should not have happened", {
    hint: "please report it, with the version and the lines before",
    cause: error,
  });
}

function fail(error: unknown, terminationLog: TerminationLog, redactor: Redactor): void {
  const failure = isLocalizerError(error) ? error : unforeseen(error);
  terminationLog.fail(failure);
  process.exitCode = REASONS[failure.reason].exitCode;
  const where = failure.file === undefined ? "" : `${failure.file}: `;
  const lines = [`failed (${failure.reason}): ${where}${failure.message}`];
  if (failure.hint !== undefined) lines.push(`  ${failure.hint}`);
  // An unexpected fault is shown completely, so that it can be investigated.
  if (failure.reason === "internal" && failure.cause instanceof Error) {
    lines.push(...(failure.cause.stack ?? "").split("\n").slice(0, MOST_STACK_LINES));
  }
  for (const line of lines) process.stderr.write(`${shownText(line.trimEnd(), redactor)}\n`);
}

void main(process.argv.slice(2));
