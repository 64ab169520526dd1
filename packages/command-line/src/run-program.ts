import { closest } from "@kindling/core-spec";
import { isDeclared, shownCommands, type Command, type Program } from "./command.ts";
import type { CommandContext } from "./command-context.ts";
import { commandHelp } from "./help/command-help.ts";
import type { Row } from "./help/layout.ts";
import { programHelp } from "./help/program-help.ts";
import { paint } from "./output/palette.ts";
import { asksForHelp, parseCommandLine } from "./parse/parse-command-line.ts";

/** Runs one command line of a program; the result is the exit code. */
export async function runProgram(program: Program, argv: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...rest] = argv;
  const command = findCommand(program, name);
  if (command !== undefined) return await runCommand(program, command, rest, context);
  return withoutCommand(program, name, context);
}

export function findCommand({ commands }: Program, name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}

/** Runs a command of a program, or prints its help. */
export async function runCommand(
  program: Program,
  command: Command,
  argv: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (!isDeclared(command)) return await (await command.load())(argv, context);
  const calledAs = `${program.name} ${command.name}`;
  if (asksForHelp(argv)) {
    context.output.out(commandHelp(command, calledAs, context.output.onOut));
    return 0;
  }
  const line = parseCommandLine(command, argv, calledAs);
  return await (
    await command.load()
  )(line, context);
}

/**
 * Answers a command line without a known command: prints the help, as a result if it was asked for.
 *
 * @param others commands from elsewhere, for example from other packages
 */
export function withoutCommand(
  program: Program,
  name: string,
  { output }: CommandContext,
  others: readonly Row[] = [],
): number {
  if (["--help", "-h", "help"].includes(name)) {
    output.out(programHelp(program, output.onOut, others));
    return 0;
  }
  if (name !== "") {
    const names = [...shownCommands(program).map((command) => command.name), ...others.map(([other]) => other)];
    const near =
      program.commands.find(({ alsoCalled = [] }) => alsoCalled.includes(name))?.name ?? closest(name, names);
    const hint = near === undefined ? otherwiseMeant(program, name) : `did you mean ${near}?`;
    output.err(`${paint(output, "red", "error:")} there is no command '${name}'\n`);
    output.err(`${paint(output, "dim", "hint:")} ${hint}\n`);
    return 1;
  }
  output.err(programHelp(program, output, others));
  return 1;
}

/** A program or its file in the place of a command: the command was forgotten. */
function otherwiseMeant({ name: program, takesApplication }: Program, name: string): string {
  if (takesApplication !== undefined && /\.(?:py|jar|r)$/i.test(name)) {
    return `did you mean ${program} ${takesApplication} ${name}?`;
  }
  return `${program} --help tells of all commands`;
}
