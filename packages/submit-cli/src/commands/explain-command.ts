import { harmlessText } from "@kindling/core-spec";
import { hidePlanned, planExecutor, secretsIn } from "@kindling/submit";
import { parseArguments, toRequest } from "@kindling/spark-arguments";
import { explainDriver, explained, explainExecutor } from "../output/explain-objects.ts";
import { printObjects } from "../output/print-objects.ts";
import { paint } from "@kindling/command-line";
import type { CommandContext } from "@kindling/command-line";
import { configureHere, planOffline, refuseFlagsOfLater } from "./plan-offline.ts";
import { outputFormat } from "./submit-command.ts";

/** `kindling explain …`: the objects of a submission, with the step that set each field. */
export async function explainCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, outside, secrets } = context;
  const args = parseArguments(argv);
  for (const secret of secretsIn(args.conf)) secrets.hide(secret);
  if (args.switches.has("--help") || argv.length === 0) {
    const { explainHelp } = await import("./submit-help.ts");
    if (argv.length === 0) output.err(explainHelp(output));
    else output.out(explainHelp(output.onOut));
    return argv.length === 0 ? 1 : 0;
  }
  const notice = (message: string): void =>
    output.err(`${paint(output, "yellow", "note:")} ${harmlessText(message)}\n`);
  const request = toRequest(args);
  const configuration = configureHere(request, outside, notice);
  refuseFlagsOfLater(args, configuration);
  const { gathered, plan } = await planOffline(configuration, request, context, notice);
  const format = outputFormat(args.values.get("--output")) ?? "yaml";
  const redaction = args.switches.has("--show-secrets") ? undefined : hidePlanned(plan, secrets);
  const objects = args.switches.has("--executor")
    ? explainExecutor(planExecutor(gathered.input, gathered.steps))
    : explainDriver(plan);
  printObjects(explained(objects, { format, redaction }), { format, isRedacted: redaction !== undefined }, output);
  return 0;
}
