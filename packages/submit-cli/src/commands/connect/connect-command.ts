import { asksForHelp, type CommandContext, findCommand, parseCommandLine, runProgram } from "@kindling/command-line";
import { CONNECT, connectHelp, OPEN } from "./connect-table.ts";

/** `kindling connect`, which has commands of its own, and does something without one, too. */
export async function connectCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  const [first = ""] = argv;
  // Words behind -- are a command of others.
  const isOwn = findCommand(CONNECT, first) !== undefined || (first !== "" && !first.startsWith("-"));
  if (isOwn) return await runProgram(CONNECT, argv, context);
  if (asksForHelp(argv)) {
    context.output.out(connectHelp(context.output.onOut));
    return 0;
  }
  const line = parseCommandLine(OPEN, argv, CONNECT.name);
  return await (
    await OPEN.load()
  )(line, context);
}
