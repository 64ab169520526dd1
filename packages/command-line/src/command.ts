import type { CommandContext } from "./command-context.ts";
import type { CommandLine } from "./command-line.ts";

/** One option of a command, for its parser, its help and shell completion. */
export interface Option {
  /** Without dashes: `output` for `--output`. */
  readonly name: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
  /** What its value is called; an option without one is a switch. */
  readonly value?: string;
  /** The values that it takes, where there are only a few. */
  readonly choices?: readonly string[];
  /** To give it twice is an error. Otherwise the last value counts, or all do: that is the command's own. */
  readonly once?: boolean;
  readonly help: string;
}

/** What stands behind the options. */
export interface Operands {
  /** As the help shows them, such as `NAMESPACE:POD…`. */
  readonly shown: string;
  /** How many there may be; any number if unset. */
  readonly most?: number;
}

/** How a command is called. */
export interface CommandUsage {
  readonly name: string;
  /** What it does, as the end of a sentence: `list applications`. */
  readonly summary: string;
  /** A command without them takes none. */
  readonly operands?: Operands;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  /** Neither the help nor a shell tells of it: it is there for another program. */
  readonly hidden?: boolean;
  /** What other programs call the same: whoever types it is told of this one. */
  readonly alsoCalled?: readonly string[];
  /** What to do about an option that it does not know, where another command's options stand in a place of their own. */
  readonly unknownOptionHint?: string;
}

/** Does what a command is there for; the result is the exit code. */
export type RunCommand = (line: CommandLine, context: CommandContext) => Promise<number>;

/** A command whose options the table declares. */
export interface DeclaredCommand extends CommandUsage {
  /** Called when the command is: a program must start fast, and needs none of its other commands. */
  readonly load: () => Promise<RunCommand>;
}

/** A command with a grammar of its own, which also prints its own help: spark-submit's, for one. */
export interface CommandWithOwnGrammar {
  readonly name: string;
  readonly summary: string;
  /** As in {@link CommandUsage}. */
  readonly hidden?: boolean;
  readonly alsoCalled?: readonly string[];
  readonly load: () => Promise<(argv: readonly string[], context: CommandContext) => Promise<number>>;
}

export type Command = DeclaredCommand | CommandWithOwnGrammar;

/** A program with several commands. */
export interface Program {
  /** As its user calls it, such as `kindling dev`. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly about: string;
  /** In the order of the help. */
  readonly commands: readonly Command[];
  /** The command that takes a file of an application; it is told of where such a file stands in a command's place. */
  readonly takesApplication?: string;
  /** Its options besides `--help`, which it handles itself: how each is written, and what it does. */
  readonly options?: readonly (readonly [option: string, help: string])[];
  readonly examples: readonly string[];
  /** Exit codes that mean something of their own, for the help. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
}

/** Whether a command's options are declared. */
export function isDeclared(command: Command): command is DeclaredCommand {
  return "options" in command;
}

/** The commands that are told of, in the order of the help. */
export function shownCommands({ commands }: Program): readonly Command[] {
  return commands.filter(({ hidden }) => hidden !== true);
}

export const HELP_OPTION: Option = { name: "help", short: "h", help: "this text" };
export const VERBOSE_OPTION: Option = { name: "verbose", short: "v", help: "show what an error was caused by" };
