import { paint, type Output } from "../output/terminal.ts";
import { FLAGS, type Flag } from "./flag-table.ts";

export function help(output: Output): string {
  return submitHelp(output);
}

const SECTIONS: readonly [Flag["section"], string][] = [
  ["application", "Application"],
  ["files", "Files"],
  ["resources", "Resources"],
  ["configuration", "Configuration"],
  ["control", "Applications that run"],
  ["kindling", "Kindling's own"],
  ["other", "Other"],
];

/** The text of `kindling submit --help`. */
export function submitHelp(output: Output): string {
  const bold = (text: string): string => paint(output, "bold", text);
  const sections = SECTIONS.map(([section, title]) => {
    const rows = FLAGS.filter((flag) => flag.section === section).map(
      (flag) => `  ${usage(flag).padEnd(30)} ${flag.help}`,
    );
    return `${bold(`${title}:`)}\n${rows.join("\n")}\n`;
  });
  return `${bold("Usage:")} kindling submit [flags] <jar | Python file | R file> [arguments]\n\n${sections.join("\n")}`;
}

function usage({ name, short, value }: Flag): string {
  return `${short === undefined ? "    " : `${short}, `}${name}${value === undefined ? "" : ` ${value}`}`;
}
