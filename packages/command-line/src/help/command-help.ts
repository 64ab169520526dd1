import type { CommandUsage, Option } from "../command.ts";
import type { Palette } from "../output/palette.ts";
import { examples, heading, section, type Row } from "./layout.ts";

/**
 * The text of `kindling COMMAND --help`.
 *
 * @param calledAs how the user calls the command, such as `kindling list`
 */
export function commandHelp(usage: CommandUsage, calledAs: string, palette: Palette): string {
  const { summary, options, operands } = usage;
  const flags = options.some(({ name }) => name !== "help") ? " [flags]" : "";
  return [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n`,
    heading(palette, "Usage", `${calledAs}${flags}${operands === undefined ? "" : ` ${operands.shown}`}`),
    section(palette, "Flags", options.map(optionRow)),
    examples(palette, usage.examples),
  ].join("\n");
}

/** `-o, --output FORMAT`, and what it is for. */
export function optionRow({ name, short, value, help }: Option): Row {
  return [`${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`, help];
}
