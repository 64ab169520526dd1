import { parseArguments } from "../args/parse-arguments.ts";
import { prepareOffline } from "../submit.ts";
import { gatherInput } from "../plan/gather-input.ts";
import { paint } from "../output/terminal.ts";
import { explained } from "../output/explain-objects.ts";
import type { CommandContext } from "./command.ts";
import { outputFormat } from "./submit-command.ts";

/** `kindling explain …`: the objects of a submission, with the step that set each field. */
export async function explainCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const { output, env, cwd, now } = context;
  const args = parseArguments(argv);
  if (args.switches.has("--help") || argv.length === 0) {
    const { explainHelp } = await import("../args/help.ts");
    if (argv.length === 0) output.err(explainHelp(output));
    else output.out(explainHelp(output.onOut));
    return argv.length === 0 ? 1 : 0;
  }
  const notice = (message: string): void => output.err(`${paint(output, "yellow", "note:")} ${message}\n`);
  const request = gatherInput(args, { env, cwd, now, notice });
  if (request.kind === "spark-submit") throw (await import("../spark-submit.ts")).unsupportedHere(request.reason);
  const prepared = await prepareOffline(request, {
    args: argv,
    env,
    cwd,
    now,
    onEvent: (event) => {
      if (event.type === "notice") notice(event.message);
    },
  });
  output.out(
    await explained(prepared, args.switches.has("--executor"), outputFormat(args.values.get("--output")) ?? "yaml"),
  );
  return 0;
}
