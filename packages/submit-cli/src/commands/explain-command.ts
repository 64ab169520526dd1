import { harmlessText } from "@kindling/core-spec";
import { secretsIn, type SubmissionEvent } from "@kindling/submit";
import { parseArguments } from "../args/parse-arguments.ts";
import { prepareOffline, redactionOf } from "../submit.ts";
import { gatherInput } from "../plan/gather-input.ts";
import { explained } from "../output/explain-objects.ts";
import { printObjects } from "../output/print-objects.ts";
import { printNotice, type CommandContext } from "@kindling/command-line";
import { outputFormat } from "./submit-command.ts";

/** `kindling explain …`: the objects of a submission, with the step that set each field. */
export async function explainCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, env, cwd, clock, secrets } = context;
  const { now } = clock;
  const args = parseArguments(argv);
  for (const secret of secretsIn(args.conf)) secrets.hide(secret);
  if (args.switches.has("--help") || argv.length === 0) {
    const { explainHelp } = await import("../args/help.ts");
    if (argv.length === 0) output.err(explainHelp(output));
    else output.out(explainHelp(output.onOut));
    return argv.length === 0 ? 1 : 0;
  }
  const notice = (message: string): void => printNotice(harmlessText(message), output);
  const request = gatherInput(args, { env, cwd, now, notice });
  if (request.kind === "spark-submit") throw (await import("../spark-submit.ts")).unsupportedHere(request.reason);
  const onEvent = (event: SubmissionEvent): void => {
    if (event.type === "notice") notice(event.message);
  };
  const prepared = await prepareOffline(request, { args: argv, env, cwd, now, onEvent }, secrets);
  const format = outputFormat(args.values.get("--output")) ?? "yaml";
  const redaction = args.switches.has("--show-secrets") ? undefined : redactionOf(prepared, secrets);
  const executor = args.switches.has("--executor");
  printObjects(
    explained(prepared, { executor, format, redaction }),
    { format, isRedacted: redaction !== undefined },
    output,
  );
  return 0;
}
