import { shownCommands, type Program } from "../command.ts";
import type { Palette } from "../output/palette.ts";
import { examples, heading, section, type Row } from "./layout.ts";

/**
 * The text of `kindling --help`.
 *
 * @param others commands from elsewhere, for example from other packages
 */
export function programHelp(program: Program, palette: Palette, others: readonly Row[] = []): string {
  const { name, about, options = [], exitCodes = [] } = program;
  return [
    `${about}\n`,
    heading(palette, "Usage", `${name} COMMAND [flags]`),
    section(
      palette,
      "Commands",
      shownCommands(program).map((command) => [command.name, command.summary]),
    ),
    ...(others.length === 0 ? [] : [section(palette, "Commands of other packages", others)]),
    section(palette, "Flags", [["--help", `this text; ${name} COMMAND --help tells of a command`], ...options]),
    examples(palette, program.examples),
    ...(exitCodes.length === 0 ? [] : [section(palette, "Exit codes", exitCodes)]),
  ].join("\n");
}
