import {
  bashCompletion,
  completed,
  fishCompletion,
  isDeclared,
  shownCommands,
  zshCompletion,
  type CommandContext,
  type CommandLine,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type Offer,
  type Program,
} from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { FLAGS, takesValue, type Flag } from "../args/flag-table.ts";
import { keyReference } from "./key-reference.ts";
import { OBJECT_FORMATS } from "./output-formats.ts";

const SHELLS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

/** `kindling completion SHELL`, for the commands of a program. */
export function completionOf(program: Program): (line: CommandLine, context: CommandContext) => Promise<number> {
  return ({ operands }, { output }) => {
    const [shell = ""] = operands;
    const script = SHELLS.get(shell);
    if (script === undefined)
      throw new KindlingError(
        "ARGUMENT_INVALID",
        `${shell === "" ? "which shell?" : `${shell}: not known;`} bash, zsh and fish are`,
      );
    output.out(script(completedProgram(program)));
    return Promise.resolve(0);
  };
}

/** Names of applications, as commands take them. */
const APPLICATIONS: Offer = { printedBy: "kindling list -A -o name" };
const OPERANDS: ReadonlyMap<string, Offer> = new Map<string, Offer>([
  ["kill", APPLICATIONS],
  ["status", APPLICATIONS],
  ["logs", APPLICATIONS],
  ["staging", { words: ["ls", "rm", "gc", "stat"] }],
  ["completion", { words: [...SHELLS.keys()] }],
]);

function completedProgram(program: Program): CompletedProgram {
  const flags = FLAGS.map(completedFlag);
  const commands = shownCommands(program).map((command): CompletedCommand => {
    if (isDeclared(command)) return completed(command, OPERANDS.get(command.name) ?? "nothing");
    const { name, summary } = command;
    return { name, summary, options: flags, operands: "files" };
  });
  return { name: program.name, commands, options: ["--help", "--version"] };
}

function completedFlag(flag: Flag): CompletedOption {
  const names = [flag.name, ...(flag.short === undefined ? [] : [flag.short])];
  return { names, value: takesValue(flag) ? valueOf(flag.name) : undefined, help: flag.help };
}

function valueOf(flag: string): Offer {
  switch (flag) {
    case "--conf":
      return { words: keyWords(), open: true };
    case "--deploy-mode":
      return { words: ["cluster", "client"] };
    case "--output":
      return { words: OBJECT_FORMATS };
    default:
      return "files";
  }
}

/** Keys up to where a name of the user's own begins. */
function keyWords(): string[] {
  return [
    ...new Set(keyReference().map(({ key }) => (key.includes("<") ? key.slice(0, key.indexOf("<")) : `${key}=`))),
  ];
}
