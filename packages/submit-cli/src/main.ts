import {
  asksForCauses,
  findCommand,
  paint,
  runCommand,
  runProcess,
  withoutCommand,
  type CommandContext,
} from "@kindling/command-line";
import { REDACTED } from "@kindling/core-spec";
import { parseArguments } from "@kindling/spark-arguments";
import { KINDLING } from "./commands/command-table.ts";
import { versionText } from "./version.ts";

/** Runs one command line; the result is the exit code. */
async function main(argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...rest] = argv;
  if (name === "--version" || name === "version") {
    context.output.out(`${versionText()}\n`);
    return 0;
  }
  const command = findCommand(KINDLING, name);
  if (command !== undefined) return await runCommand(KINDLING, command, rest, context);
  return await otherCommand(name, rest, context);
}

/** A command of another package, the help, or a mistake. */
async function otherCommand(name: string, rest: readonly string[], context: CommandContext): Promise<number> {
  const { outside, output, signal } = context;
  const { env } = outside;
  const ownScript = process.argv[1] ?? "";
  const external = await import("./commands/external-commands.ts");
  const executable = external.findExternalCommand(name, env, ownScript);
  if (executable !== undefined && name !== "help") return external.runExternalCommand(executable, rest, env, signal);
  const home = external.packageOfCommand(name);
  if (home !== undefined) {
    output.err(`${paint(output, "red", "error:")} there is no command '${name}'\n`);
    output.err(`${paint(output, "dim", "hint:")} it comes with ${home}: npm install --global ${home}\n`);
    return 1;
  }
  const others = external.externalCommands(env, ownScript).map((other) => [other, `runs kindling-${other}`] as const);
  return withoutCommand(KINDLING, name, context, others);
}

/** Whether the user wants more details; flags after a submission's application belong to the application. */
function isVerbose([command, ...rest]: readonly string[]): boolean {
  const isGiven = asksForCauses(rest);
  if (!isGiven || (command !== "submit" && command !== "explain")) return isGiven;
  try {
    return parseArguments(rest).switches.has("--verbose");
  } catch {
    return isGiven;
  }
}

void runProcess(main, { mark: REDACTED, verbose: isVerbose });
