import { type CommandUsage, type Option, USAGES } from "./option-table.ts";

/** The text of `kindling dev --help`. */
export function help(): string {
  return [
    "A Kubernetes on this machine, for development: Spark's drivers and executors run as local processes.\n",
    "Usage: kindling dev COMMAND [flags]\n",
    section(
      "Commands",
      USAGES.map(({ name, summary }) => [name, summary]),
    ),
    section("Flags", [["--help", "this text; kindling dev COMMAND --help tells of a command"]]),
    examples([
      "kindling dev up",
      ...USAGES.flatMap(({ name, examples: [first = ""] }) => (name === "run" ? [first] : [])),
    ]),
  ].join("\n");
}

/** The text of `kindling dev COMMAND --help`. */
export function commandHelp({ name, summary, operands, options, examples: shown }: CommandUsage): string {
  return [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.\n`,
    `Usage: kindling dev ${name} [flags]${operands === "" ? "" : ` ${operands}`}\n`,
    section("Flags", options.map(row)),
    examples(shown),
  ].join("\n");
}

function row({ name, short, value, help: text }: Option): readonly [string, string] {
  return [`${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`, text];
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return `${title}:\n${rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}\n`).join("")}`;
}

function examples(shown: readonly string[]): string {
  return `Examples:\n${shown.map((example) => `  ${example}\n`).join("")}`;
}
