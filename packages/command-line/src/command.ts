import type { CommandContext } from "./command-context.ts";
import type { CommandLine } from "./command-line.ts";

/** One option of a command, for its parser, its help and shell completion. */
export interface Option {
  /** Without dashes: `output` for `--output`. */
  readonly name: string;
  /** One letter: `o` for `-o`. */
  readonly short?: string;
  /** The name of its value; an option without one is a switch. */
  readonly value?: string;
  /** The allowed values, if there are only a few. */
  readonly choices?: readonly string[];
  /** Whether it is an error to give it twice. Otherwise the command decides whether the last value counts, or all of them. */
  readonly once?: boolean;
  readonly help: string;
}

/** The words after the options. */
export interface Operands {
  /** As the help shows them, such as `NAMESPACE:POD…`. */
  readonly shown: string;
  /** The maximum number; unlimited if unset. */
  readonly most?: number;
}

/** The usage of a command. */
export interface CommandUsage {
  readonly name: string;
  /** What it does, as the end of a sentence: `list applications`. */
  readonly summary: string;
  /** Without this member, the command takes no operands. */
  readonly operands?: Operands;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  /** Whether help and shell completion leave it out, because it is for another program. */
  readonly hidden?: boolean;
  /** Names of the same command in other programs: a user who types one is told this command's name. */
  readonly alsoCalled?: readonly string[];
  /** The hint for an unknown option, if the options of another command have their own place. */
  readonly unknownOptionHint?: string;
}

/** Runs a command; the result is the exit code. */
export type RunCommand = (line: CommandLine, context: CommandContext) => Promise<number>;

/** A command with options that the table declares. */
export interface DeclaredCommand extends CommandUsage {
  /** Called only when the command is called: a program must start fast, and does not need its other commands then. */
  readonly load: () => Promise<RunCommand>;
}

/** A command with its own grammar, which also prints its own help: for example spark-submit's. */
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
  /** The name that users type, such as `kindling dev`. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly about: string;
  /** In the order of the help. */
  readonly commands: readonly Command[];
  /** The command that takes an application file; it is suggested if such a file is in the place of a command. */
  readonly takesApplication?: string;
  /** Its options except `--help`, which it handles itself: the syntax of each, and what it does. */
  readonly options?: readonly (readonly [option: string, help: string])[];
  readonly examples: readonly string[];
  /** Exit codes with a meaning of their own, for the help. */
  readonly exitCodes?: readonly (readonly [code: string, meaning: string])[];
}

/** Whether a command's options are declared. */
export function isDeclared(command: Command): command is DeclaredCommand {
  return "options" in command;
}

/** The commands that are shown, in the order of the help. */
export function shownCommands({ commands }: Program): readonly Command[] {
  return commands.filter(({ hidden }) => hidden !== true);
}

export const HELP_OPTION: Option = { name: "help", short: "h", help: "this text" };
export const VERBOSE_OPTION: Option = { name: "verbose", short: "v", help: "show what an error was caused by" };
