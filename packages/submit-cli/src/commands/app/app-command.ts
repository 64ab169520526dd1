import { runProgram, type CommandContext } from "@kindling/command-line";
import { APP } from "./app-table.ts";

/** `kindling app COMMAND`. */
export function appCommand(argv: readonly string[], context: CommandContext): Promise<number> {
  return runProgram(APP, argv, context);
}
