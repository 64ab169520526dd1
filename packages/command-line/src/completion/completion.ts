import type { DeclaredCommand, Option } from "../command.ts";

/**
 * What a shell offers for the next word: files, some words, the output lines of a shell command, or nothing. Such a command
 * gets the present words after `--`.
 */
export type Offer =
  | "files"
  | "nothing"
  | { readonly words: readonly string[]; /** More may follow without a blank. */ readonly open?: boolean }
  | { readonly printedBy: string };

/** An option as a shell completes it. */
export interface CompletedOption {
  /** With the dashes: `--output`, `-o`. */
  readonly names: readonly string[];
  /** Undefined for a switch. */
  readonly value: Offer | undefined;
  readonly help: string;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly operands: Offer;
}

/** A program as a shell completes it. */
export interface CompletedProgram {
  readonly name: string;
  readonly commands: readonly CompletedCommand[];
  /** The program's own options, with their dashes. */
  readonly options: readonly string[];
}

/**
 * The completion of a command from the table.
 *
 * @param operands what is offered after the options
 * @param valueOf what is offered for the value of an option, by its name, if the table has no choices. Default: files
 */
export function completed(
  command: DeclaredCommand,
  operands: Offer,
  valueOf: (option: string) => Offer | undefined,
): CompletedCommand {
  const { name, summary, options } = command;
  return { name, summary, options: options.map((option) => completedOption(option, valueOf)), operands };
}

function completedOption(
  { name, short, value, choices, help }: Option,
  valueOf: (option: string) => Offer | undefined,
): CompletedOption {
  const offer = choices === undefined ? (valueOf(name) ?? "files") : { words: choices };
  return {
    names: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
    value: value === undefined ? undefined : offer,
    help,
  };
}
