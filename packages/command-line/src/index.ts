export {
  HELP_OPTION,
  isDeclared,
  shownCommands,
  VERBOSE_OPTION,
  type Command,
  type CommandUsage,
  type CommandWithOwnGrammar,
  type DeclaredCommand,
  type Operands,
  type Option,
  type Program,
  type RunCommand,
} from "./command.ts";
export type { CommandContext } from "./command-context.ts";
export type { CommandLine } from "./command-line.ts";
export { bashCompletion, zshCompletion } from "./completion/bash-completion.ts";
export {
  completed,
  type CompletedCommand,
  type CompletedOption,
  type CompletedProgram,
  type Offer,
} from "./completion/completion.ts";
export { fishCompletion } from "./completion/fish-completion.ts";
export { commandHelp } from "./help/command-help.ts";
export { examples, heading, section, type Row } from "./help/layout.ts";
export { programHelp } from "./help/program-help.ts";
export { errorLines, type ErrorLine } from "./output/error-lines.ts";
export { formatJson, formatObject } from "./output/format-object.ts";
export { streamOutput, type Output, type TextStream } from "./output/output.ts";
export { paint, type Palette } from "./output/palette.ts";
export { printError, printNotice } from "./output/print-error.ts";
export { asksForCauses } from "./parse/asks-for-causes.ts";
export { formatOf, outputOption } from "./parse/output-format.ts";
export { asksForHelp, parseCommandLine } from "./parse/parse-command-line.ts";
export { programBehindDashes, type GivenProgram } from "./parse/program-behind-dashes.ts";
export { onFirstSignal } from "./process/first-signal.ts";
export { runChild, type ChildOptions } from "./process/run-child.ts";
export { runInterruptible } from "./process/run-interruptible.ts";
export { runProcess, type ProcessOptions } from "./process/run-process.ts";
export { findCommand, runCommand, runProgram, withoutCommand } from "./run-program.ts";
