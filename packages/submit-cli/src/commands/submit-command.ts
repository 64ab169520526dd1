import { EXIT_CODES, isInterruption, KindlingError } from "@kindling/core-spec";
import {
  deploymentOf,
  secretsIn,
  submitConfigured,
  type Application,
  type Configuration,
  type ConfigurationRequest,
  type SubmissionEvent,
  type SubmissionResult,
  type TimeLimits,
} from "@kindling/submit";
import { parseArguments, type SubmitArguments, toRequest } from "@kindling/spark-arguments";
import { parseDuration } from "./parse-duration.ts";
import { eventPrinter } from "../output/event-printer.ts";
import type { Output } from "@kindling/command-line";
import { versionText } from "../version.ts";
import type { CommandContext } from "@kindling/command-line";
import { exitCode, exitCodeOfUsage, exitCodePolicy } from "./exit-code.ts";
import { misplaced } from "./misplaced.ts";
import { configureHere, refuseFlagsOfLater } from "./plan-offline.ts";

type Show = (event: SubmissionEvent) => void;

/** `kindling submit`: does what spark-submit does; the result is the exit code. */
export async function submitCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, secrets } = context;
  const args = parseArguments(argv);
  for (const secret of secretsIn(args.conf)) secrets.hide(secret);
  if (args.switches.has("--version")) {
    output.out(`${versionText()}\n`);
    return 0;
  }
  if (args.switches.has("--help") || args.switches.has("--usage-error") || argv.length === 0) {
    const { submitHelp } = await import("./submit-help.ts");
    if (args.switches.has("--help")) output.out(submitHelp(output.onOut));
    else output.err(submitHelp(output));
    return exitCodeOfUsage(argv, args);
  }
  const kill = args.values.get("--kill");
  const status = args.values.get("--status");
  if (kill !== undefined || status !== undefined) {
    if (kill !== undefined) return (await import("./kill-command.ts")).killSubmission(kill, args, context);
    return (await import("./status-command.ts")).statusOfSubmission(status ?? "", args, context);
  }
  try {
    return await run(argv, args, context);
  } catch (error) {
    if (!isInterruption(error)) await printRefusal(error, args, output);
    throw error;
  }
}

async function run(argv: readonly string[], args: SubmitArguments, context: CommandContext): Promise<number> {
  const { output, outside } = context;
  const show = eventPrinter(output, { logs: args.switches.has("--logs"), now: () => outside.clock.now() });
  const notice = (message: string): void => show({ type: "notice", message });
  const request = toRequest(args);
  const configuration = configureHere(request, outside, notice);
  const deployment = deploymentOf(configuration);
  if (deployment.kind === "spark-submit") {
    const { isDropped, runSparkSubmit } = await import("../spark-submit.ts");
    const own = [...args.switches, ...args.values.keys()].filter(isDropped);
    notice(
      `${deployment.reason}: handing over to spark-submit${own.length === 0 ? "" : `, without ${own.join(", ")}`}`,
    );
    return runSparkSubmit(argv, deployment.reason, context);
  }
  refuseFlagsOfLater(args, configuration);
  misplaced(args).forEach(notice);
  const format = outputFormat(args.values.get("--output"));
  const policy = exitCodePolicy(configuration.entries);
  const limits = timeLimits(args, configuration.entries);
  if (args.switches.has("--verbose")) {
    const { printConfiguration } = await import("../output/print-configuration.ts");
    printConfiguration(configuration, output);
  }
  if (args.switches.has("--dry-run")) {
    const { dryRun } = await import("./dry-run.ts");
    await dryRun(configuration, request, context, {
      show,
      format: format ?? "yaml",
      ofExecutor: args.switches.has("--executor"),
      withSecrets: args.switches.has("--show-secrets"),
      stages: args.values.get("--dry-run") === "server",
    });
    return 0;
  }
  if (args.switches.has("--check")) {
    const { printChecks } = await import("../output/print-checks.ts");
    const { checksOf } = await import("./checks-of.ts");
    return printChecks(checksOf(configuration, request, context, notice), format, output);
  }
  const result = await submitUntilInterrupted(configuration, request, args, context, { show, limits });
  if (result === undefined) return EXIT_CODES.interrupted.code;
  if (result.outcome?.phase === "TimedOut") {
    const { afterTimeout } = await import("./submit-timeout.ts");
    await afterTimeout(result.application, result.outcome, args, context);
  }
  if (format !== undefined) {
    const { formatObject } = await import("@kindling/command-line");
    const { resultObject } = await import("../output/submission-object.ts");
    output.exact(await formatObject(resultObject(result), format));
  }
  return exitCode(result.outcome, policy);
}

/**
 * The time limits in the flags.
 *
 * @throws KindlingError `ARGUMENT_INVALID`; `CONF_CONFLICT` if nothing is waited for
 */
function timeLimits({ values, switches }: SubmitArguments, entries: Configuration["entries"]): TimeLimits {
  const [whole, pending] = ["--timeout", "--pending-timeout"].map((flag) => {
    const text = values.get(flag);
    return text === undefined ? undefined : parseDuration(flag, text);
  });
  const isLimited = whole !== undefined || pending !== undefined;
  if (switches.has("--kill-on-timeout") && !isLimited) {
    throw new KindlingError("ARGUMENT_INVALID", "--kill-on-timeout: there is no time limit", {
      hint: "add --timeout or --pending-timeout",
    });
  }
  if (isLimited && entries["spark.kubernetes.submission.waitAppCompletion"] === "false") {
    throw new KindlingError(
      "CONF_CONFLICT",
      `${whole === undefined ? "--pending-timeout" : "--timeout"}: nothing is waited for, as spark.kubernetes.submission.waitAppCompletion is false`,
      { hint: "leave out one of them; kindling wait has a --timeout of its own" },
    );
  }
  return { timeoutMs: whole, pendingTimeoutMs: pending };
}

/** Submits and follows. An interrupt while following does not end the application; the output says how to go on with it. */
async function submitUntilInterrupted(
  configuration: Configuration,
  request: ConfigurationRequest,
  args: SubmitArguments,
  { output, outside, secrets, signal }: CommandContext,
  { show, limits }: { readonly show: Show; readonly limits: TimeLimits },
): Promise<SubmissionResult | undefined> {
  let application: Application | undefined;
  try {
    return await submitConfigured(configuration, request, {
      access: "this-machine",
      logs: args.switches.has("--logs"),
      ...limits,
      onEvent(event) {
        if (event.type === "submitted") application = event.application;
        show(event);
      },
      signal,
      outside,
      secrets,
    });
  } catch (error) {
    if (!isInterruption(error)) throw error;
    if (application === undefined) {
      output.err(`Interrupted; ${error.hint ?? "nothing is left in the cluster"}.\n`);
      return undefined;
    }
    const { submissionId } = application;
    output.err(
      `Interrupted; the application goes on.\n  follow it: kindling logs -f ${submissionId}\n  end it:    kindling kill ${submissionId}\n`,
    );
    return undefined;
  }
}

/** The reason of a failed submission, for programs: the exit code alone does not distinguish it from a failed driver. */
async function printRefusal(error: unknown, { values, switches }: SubmitArguments, output: Output): Promise<void> {
  const format = values.get("--output");
  const isSubmission = !switches.has("--dry-run") && !switches.has("--check");
  if (!isSubmission || (format !== "json" && format !== "yaml")) return;
  const { formatObject } = await import("@kindling/command-line");
  const { refusalObject } = await import("../output/submission-object.ts");
  output.out(await formatObject(refusalObject(error), format));
}

/** `-o yaml|json`. */
export function outputFormat(text: string | undefined): "yaml" | "json" | undefined {
  if (text === undefined || text === "yaml" || text === "json") return text;
  throw new KindlingError("ARGUMENT_INVALID", `--output ${text}: must be yaml or json`);
}
