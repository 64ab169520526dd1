import { constants } from "node:os";
import { runChild, type CommandContext, type Output } from "@kindling/command-line";
import { EXIT_CODES, isInterruption, KindlingError } from "@kindling/core-spec";
import {
  deploymentOf,
  isKubernetesMaster,
  secretsIn,
  submitConfigured,
  type Configuration,
  type ConfigurationRequest,
  type SubmissionEvent,
} from "@kindling/submit";
import { parseArguments, type SubmitArguments, toRequest } from "@kindling/spark-arguments";
import { eventPrinter } from "../../output/event-printer.ts";
import { isOwnFlag } from "../../spark-submit.ts";
import { EXIT_CODE, exitCode, exitCodeOfUsage, exitCodePolicy } from "../exit-code.ts";
import { configureHere, refuseFlagsOfLater } from "../plan-offline.ts";
import { findSparkSubmit, withSparkHome } from "./find-spark-submit.ts";
import { isOfSparksScripts } from "./sparks-scripts.ts";

/** The defaults (SparkSubmitArguments.loadEnvironmentArguments; deployMode of SparkSubmit). */
const DEFAULTS = { "spark.master": "local[*]", "spark.submit.deployMode": "client" };

/**
 * `kindling spark-submit`, which the package `@kindling/spark-submit` installs as `spark-submit`: for programs that run a
 * command with that name. Defaults, exit codes and the texts that callers read are spark-submit's own. Everything except
 * cluster mode on Kubernetes is passed to the real spark-submit.
 *
 * @param ownScript the file with which the command was started
 */
export async function sparkSubmitCommand(
  argv: readonly string[],
  context: CommandContext,
  ownScript: string,
): Promise<number> {
  // Callers read the output as a log, even if there is a terminal between.
  const output: Output = { ...context.output, interactive: false, colors: false };
  const outside = { ...context.outside, env: withSparkHome(context.outside.env, ownScript) };
  try {
    return await sparkSubmit(argv, { ...context, outside, output }, ownScript);
  } catch (error) {
    if (isInterruption(error)) {
      output.err(`Interrupted; ${error.hint ?? "nothing is left in the cluster"}.\n`);
      return codeOfSignal(context.signal);
    }
    const { exceptionText } = await import("./exception-text.ts");
    output.err(exceptionText(error));
    return EXIT_CODES.failure.code;
  }
}

async function sparkSubmit(argv: readonly string[], context: CommandContext, ownScript: string): Promise<number> {
  const { output, outside, secrets } = context;
  const handOver = (reason: string): Promise<number> => runRealOne(argv, reason, context, ownScript);
  if (isOfSparksScripts(argv)) return handOver("it is a shell or a server of Spark's own");
  const args = parseArguments(argv);
  for (const secret of secretsIn(args.conf)) secrets.hide(secret);
  refuseOwnFlags(args);
  const request = toRequest(args);
  const silent = (): void => undefined;
  if (args.switches.has("--version")) {
    const { versionText } = await import("./version-text.ts");
    output.err(versionText(configureHere(request, outside, silent)));
    return 0;
  }
  if (args.switches.has("--help") || args.switches.has("--usage-error") || argv.length === 0) {
    const { usageText } = await import("./usage-text.ts");
    output.err(usageText());
    return exitCodeOfUsage(argv, args);
  }
  const kill = args.values.get("--kill");
  const status = args.values.get("--status");
  if (kill !== undefined || status !== undefined) {
    const { entries } = withDefaults(configureHere(request, outside, silent));
    const master = entries["spark.master"] ?? "";
    if (!isKubernetesMaster(master)) return handOver(`${master} is no Kubernetes master`);
    if (kill !== undefined) return (await import("../kill-command.ts")).killSubmission(kill, args, context);
    return (await import("../status-command.ts")).statusOfSubmission(status ?? "", args, context);
  }

  const show = eventPrinter(output, { logs: false, now: () => outside.clock.now(), words: "spark" });
  const notice = (message: string): void => show({ type: "notice", message });
  const configuration = withDefaults(configureHere(request, outside, notice));
  const deployment = deploymentOf(configuration);
  if (deployment.kind === "spark-submit") return handOver(deployment.reason);
  refuseFlagsOfLater(args, configuration);
  if (args.switches.has("--verbose")) {
    const { printConfiguration } = await import("../../output/print-configuration.ts");
    printConfiguration(configuration, output);
  }
  return submitToKubernetes(configuration, request, context, show);
}

async function submitToKubernetes(
  configuration: Configuration,
  request: ConfigurationRequest,
  { output, outside, secrets, signal }: CommandContext,
  show: (event: SubmissionEvent) => void,
): Promise<number> {
  const policy = exitCodePolicy({ [EXIT_CODE.key]: "spark", ...configuration.entries });
  let submitted: (SubmissionEvent & { readonly type: "submitted" }) | undefined;
  const onEvent = (event: SubmissionEvent): void => {
    show(event);
    if (event.type === "submitted") submitted = event;
  };
  try {
    // There, sidecars delay the end, and programs that call it may rely on the pod's end.
    const options = { access: "this-machine", endsWith: "pod", onEvent, signal, outside, secrets } as const;
    const { outcome } = await submitConfigured(configuration, request, options);
    // If nobody waits, Spark prints no state, but Airflow looks for the driver pod's name in the output.
    if (outcome === undefined && submitted !== undefined) show({ ...submitted, type: "state" });
    return exitCode(outcome, policy);
  } catch (error) {
    if (submitted === undefined || !isInterruption(error)) throw error;
    output.err(`Interrupted; ${submitted.application.submissionId} goes on.\n`);
    return codeOfSignal(signal);
  }
}

/** A connection with `--remote` has neither master nor mode. */
function withDefaults(configuration: Configuration): Configuration {
  const { entries } = configuration;
  return entries["spark.remote"] === undefined
    ? { ...configuration, entries: { ...DEFAULTS, ...entries } }
    : configuration;
}

async function runRealOne(
  argv: readonly string[],
  reason: string,
  { outside: { env, cwd }, signal }: CommandContext,
  ownScript: string,
): Promise<number> {
  const real = findSparkSubmit(env, ownScript, reason);
  return runChild(real.program, [...real.words, ...argv], { env: real.env, cwd, signal, inPlace: true });
}

/** Flags that spark-submit does not know are refused; for more, users run `kindling submit`. */
function refuseOwnFlags({ switches, values }: SubmitArguments): void {
  const own = [...switches, ...values.keys()].find(isOwnFlag);
  if (own === undefined) return;
  throw new KindlingError("ARGUMENT_INVALID", `unrecognized option '${own}'`, {
    hint: "it is a flag of `kindling submit`; keys of the configuration work here too",
  });
}

/** The exit code of a JVM that a signal ends. */
function codeOfSignal({ reason }: AbortSignal): number {
  return 128 + (reason === "SIGTERM" ? constants.signals.SIGTERM : constants.signals.SIGINT);
}
