import { isKindlingError, KindlingError } from "@kindling/core-spec";
import { parseArguments } from "../args/parse-arguments.ts";
import { type Application, secretsIn, type SubmissionEvent } from "@kindling/submit";
import { eventPrinter } from "../output/event-printer.ts";
import type { Output } from "@kindling/command-line";
import { gatherInput } from "../plan/gather-input.ts";
import {
  checkRequest,
  prepareOffline,
  redactionOf,
  submitRequest,
  type SubmissionResult,
  type SubmitOptions,
} from "../submit.ts";
import { versionText } from "../version.ts";
import type { CommandContext } from "@kindling/command-line";
import { exitCode, exitCodePolicy } from "./exit-code.ts";

/** `kindling submit`: what spark-submit does, and its exit code. */
export async function submitCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, env, cwd, secrets } = context;
  const args = parseArguments(argv);
  for (const secret of secretsIn(args.conf)) secrets.hide(secret);
  if (args.switches.has("--version")) {
    output.out(`${versionText()}\n`);
    return 0;
  }
  if (args.switches.has("--help") || args.switches.has("--usage-error") || argv.length === 0) {
    const { submitHelp } = await import("../args/help.ts");
    if (args.switches.has("--help")) output.out(submitHelp(output.onOut));
    else output.err(submitHelp(output));
    // spark-submit's own codes.
    return args.switches.has("--help") ? 0 : argv.length === 0 ? 255 : 1;
  }
  const kill = args.values.get("--kill");
  const status = args.values.get("--status");
  if (kill !== undefined || status !== undefined) {
    if (kill !== undefined) return (await import("./kill-command.ts")).killSubmission(kill, args, context);
    return (await import("./status-command.ts")).statusOfSubmission(status ?? "", args, context);
  }

  const show = eventPrinter(output, args.switches.has("--logs"));
  const notice = (message: string): void => show({ type: "notice", message });
  const request = gatherInput(args, { env, cwd, now: context.clock.now, notice });
  if (request.kind === "spark-submit") {
    const { isOwnFlag, runSparkSubmit } = await import("../spark-submit.ts");
    const own = [...args.switches, ...args.values.keys()].filter(isOwnFlag);
    notice(`${request.reason}: handing over to spark-submit${own.length === 0 ? "" : `, without ${own.join(", ")}`}`);
    return runSparkSubmit(argv, request.reason, context);
  }
  const format = outputFormat(args.values.get("--output"));
  const policy = exitCodePolicy(request.conf.entries);
  if (args.switches.has("--verbose")) {
    const { printConfiguration } = await import("../output/print-configuration.ts");
    printConfiguration(request.conf, output);
  }
  const options: SubmitOptions = {
    args: argv,
    env,
    cwd,
    now: context.clock.now,
    logs: args.switches.has("--logs"),
    onEvent: show,
    signal: context.signal,
  };
  if (args.switches.has("--dry-run")) {
    const { printPlan } = await import("../output/print-plan.ts");
    const prepared = await prepareOffline(request, options, secrets);
    const redaction = args.switches.has("--show-secrets") ? undefined : redactionOf(prepared, secrets);
    const executor = args.switches.has("--executor");
    await printPlan(prepared, { format: format ?? "yaml", executor, redaction }, output);
    return 0;
  }
  if (args.switches.has("--check")) {
    const { printChecks } = await import("../output/print-checks.ts");
    return printChecks(checkRequest(request, options, secrets), format, output);
  }
  const result = await submitUntilInterrupted(
    (onEvent) => submitRequest(args, request, { ...options, onEvent }, secrets),
    show,
    output,
  );
  if (result === undefined) return INTERRUPTED;
  if (format !== undefined) {
    const { formatObject } = await import("@kindling/command-line");
    output.exact(await formatObject(resultObject(result), format));
  }
  return exitCode(result.outcome, policy);
}

// What a shell says of a command that SIGINT ended.
const INTERRUPTED = 130;

/** Submits and follows. An interrupt while following leaves the application alone; it is told how to go on with it. */
async function submitUntilInterrupted(
  submitting: (onEvent: (event: SubmissionEvent) => void) => Promise<SubmissionResult>,
  show: (event: SubmissionEvent) => void,
  output: Output,
): Promise<SubmissionResult | undefined> {
  let application: Application | undefined;
  try {
    return await submitting((event) => {
      if (event.type === "submitted") application = event.application;
      show(event);
    });
  } catch (error) {
    if (!isKindlingError(error) || error.code !== "INTERRUPTED") throw error;
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

/** `-o yaml|json`. */
export function outputFormat(text: string | undefined): "yaml" | "json" | undefined {
  if (text === undefined || text === "yaml" || text === "json") return text;
  throw new KindlingError("ARGUMENT_INVALID", `--output ${text}: must be yaml or json`);
}

function resultObject({ application, existed, outcome }: SubmissionResult): Record<string, unknown> {
  return { ...application, existed, ...(outcome && { outcome }) };
}
