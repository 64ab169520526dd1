import {
  bashCompletion,
  completed,
  fishCompletion,
  isDeclared,
  shownCommands,
  zshCompletion,
  type Command,
  type CommandContext,
  type CommandLine,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type Offer,
  type Program,
} from "@kindling/command-line";
import { KindlingError } from "@kindling/core-spec";
import { type Flag, FLAGS, takesValue } from "@kindling/spark-arguments";
import { keyReference } from "./key-reference.ts";
import { OBJECT_FORMATS } from "./output-formats.ts";
import { COMMANDS_OF_PACKAGES } from "./packages-of-commands.ts";

const SHELLS = new Map([
  ["bash", bashCompletion],
  ["zsh", zshCompletion],
  ["fish", fishCompletion],
]);

/** `kindling completion SHELL`, for the commands of a program. */
export function completionOf(program: Program): (line: CommandLine, context: CommandContext) => Promise<number> {
  return async ({ operands }, { output }) => {
    const [shell = ""] = operands;
    const script = SHELLS.get(shell);
    if (script === undefined)
      throw new KindlingError(
        "ARGUMENT_INVALID",
        `${shell === "" ? "which shell?" : `${shell}: not known;`} bash, zsh and fish are`,
      );
    output.out(script(await completedProgram(program)));
    return 0;
  };
}

const APPLICATIONS: Offer = { printedBy: "kindling complete applications" };
const APP_WORDS: Offer = { printedBy: "kindling complete app" };
const CONNECT_WORDS: Offer = { printedBy: "kindling complete connect" };
const QUEUES: Offer = { printedBy: "kindling complete queues" };
const NAMESPACES: Offer = { printedBy: "kindling complete namespaces" };
const CONTEXTS: Offer = { printedBy: "kindling complete contexts" };
const OPERANDS: ReadonlyMap<string, Offer> = new Map<string, Offer>([
  ["kill", APPLICATIONS],
  ["status", APPLICATIONS],
  ["logs", APPLICATIONS],
  ["queue", QUEUES],
  ["config", { words: keyReference().flatMap(({ key }) => (key.includes("<") ? [] : [key])) }],
  ["staging", { words: ["ls", "rm", "gc", "stat"] }],
  ["rbac", { words: ["submitter", "driver"] }],
  ["completion", { words: [...SHELLS.keys()] }],
]);

async function completedProgram(program: Program): Promise<CompletedProgram> {
  const { APP } = await import("./app/index.ts");
  const { CONNECT, OPEN } = await import("./connect/index.ts");
  const flags = FLAGS.map(completedFlag);
  const commands = shownCommands(program).map((command): CompletedCommand => {
    if (command.name === "app") return completedGroup(command, APP.commands, APP_WORDS);
    if (command.name === "connect") return completedGroup(command, [OPEN, ...CONNECT.commands], CONNECT_WORDS);
    if (isDeclared(command)) return completed(command, OPERANDS.get(command.name) ?? "nothing", valueOf);
    const { name, summary } = command;
    return { name, summary, options: flags, operands: "files" };
  });
  const others = COMMANDS_OF_PACKAGES.map(({ name, summary, commands: words }): CompletedCommand => {
    return { name, summary, options: [], operands: words.length === 0 ? "nothing" : { words } };
  });
  return { name: program.name, commands: [...commands, ...others], options: ["--help", "--version"] };
}

/** A command with subcommands: it finds out itself which of them is meant, when it is asked for the next word. */
function completedGroup({ name, summary }: Command, commands: readonly Command[], operands: Offer): CompletedCommand {
  const options = new Map<string, CompletedOption>();
  for (const command of commands.filter(isDeclared)) {
    for (const option of completed(command, "nothing", valueInGroup).options) {
      const key = option.names.join();
      const before = options.get(key);
      options.set(key, before === undefined ? option : withWordsOf(before, option));
    }
  }
  return { name, summary, options: [...options.values()], operands };
}

function valueInGroup(option: string): Offer | undefined {
  return option === "from" ? APP_WORDS : valueOf(option);
}

/** An option that several commands have, with the values that it has in each. */
function withWordsOf(option: CompletedOption, { value: other }: CompletedOption): CompletedOption {
  const { value } = option;
  if (typeof value !== "object" || typeof other !== "object" || !("words" in value) || !("words" in other))
    return option;
  return { ...option, value: { ...value, words: [...new Set([...value.words, ...other.words])] } };
}

function completedFlag(flag: Flag): CompletedOption {
  const names = [flag.name, ...(flag.short === undefined ? [] : [flag.short])];
  return { names, value: takesValue(flag) ? (valueOf(flag.name.slice(2)) ?? "files") : undefined, help: flag.help };
}

/** What is offered for an option's value, by the option's name; `undefined` if there is nothing special. */
function valueOf(option: string): Offer | undefined {
  switch (option) {
    case "conf":
      return { words: keyWords(), open: true };
    case "deploy-mode":
      return { words: ["cluster", "client"] };
    case "output":
      return { words: OBJECT_FORMATS };
    case "namespace":
      return NAMESPACES;
    case "context":
      return CONTEXTS;
    case "queue":
      return QUEUES;
    default:
      return undefined;
  }
}

/** Keys, up to the part that the user names. */
function keyWords(): string[] {
  return [
    ...new Set(keyReference().map(({ key }) => (key.includes("<") ? key.slice(0, key.indexOf("<")) : `${key}=`))),
  ];
}
