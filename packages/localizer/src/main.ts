import type { ResolvedConfig } from "./config/localizer-config.ts";
import { TERMINATION_LOG_VARIABLE } from "./config/environment.ts";
import { loadConfig } from "./load-config.ts";
import { isLocalizerError, LocalizerError, REASONS } from "./report/localizer-error.ts";
import { oneLine } from "./report/one-line.ts";
import { createRedactor, type Redactor } from "./report/redactor.ts";
import { terminationLine, writeTerminationLog } from "./report/termination-log.ts";

const USAGE = `kindling-localizer CONFIG

Brings the files that CONFIG (JSON, or the old fork's spark-init.properties) names to their places, and ends.
`;

/** How long what is under way may take to stop when the process is told to: partial files are safe at any point. */
const STOP_MS = 500;

async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "--help" || args[0] === "-h") {
    process.stdout.write(USAGE);
    return;
  }
  // Whoever started this, the directories that it makes are for every user of the pod.
  process.umask(0o022);
  const redactor = createRedactor();
  const interrupt = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => {
      interrupt.abort();
      setTimeout(() => process.exit(REASONS.interrupted.exitCode), STOP_MS).unref();
    });
  }
  let terminationLog = process.env[TERMINATION_LOG_VARIABLE] || "/dev/termination-log";
  try {
    const config = loadConfig(args, process.env);
    ({ terminationLog } = config);
    if (config.files.length > 0) await run(config, redactor, interrupt.signal);
    else process.stderr.write("nothing to do\n");
  } catch (error) {
    fail(error, terminationLog, redactor);
  }
}

/** What the network needs is loaded only now: most of a start would go by with it. */
async function run(config: ResolvedConfig, redactor: Redactor, signal: AbortSignal): Promise<void> {
  const [{ localize }, { lineReporter }, { systemClock }] = await Promise.all([
    import("./localize.ts"),
    import("./report/line-reporter.ts"),
    import("@kindling/staging-client"),
  ]);
  const clock = systemClock;
  const reporter = lineReporter({ write: (line) => process.stderr.write(line), clock, redactor });
  const outside = { env: process.env, clock, random: Math.random, reporter, redactor, signal };
  try {
    await localize(config, outside);
    reporter.finish("done");
  } catch (error) {
    reporter.finish("failed");
    throw error;
  }
}

function fail(error: unknown, terminationLog: string, redactor: Redactor): void {
  const failure = isLocalizerError(error)
    ? error
    : new LocalizerError("internal", "this should not have happened", { cause: error });
  const { exitCode } = REASONS[failure.reason];
  const where = failure.file === undefined ? "" : `${failure.file}: `;
  const lines = [`failed (${failure.reason}): ${where}${failure.message}`];
  if (failure.hint !== undefined) lines.push(`  ${failure.hint}`);
  // A fault that was not foreseen is shown whole, for whoever will look into it.
  if (failure.reason === "internal" && failure.cause instanceof Error) {
    lines.push(...(failure.cause.stack ?? "").split("\n"));
  }
  for (const line of lines) process.stderr.write(`${oneLine(redactor.clean(line))}\n`);
  writeTerminationLog(terminationLog, terminationLine(failure, redactor));
  process.exitCode = exitCode;
}

void main(process.argv.slice(2));
