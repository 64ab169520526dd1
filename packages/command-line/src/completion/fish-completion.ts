import type { CompletedCommand, CompletedProgram } from "./completion.ts";

/** A completion script for fish. */
export function fishCompletion({ name, commands }: CompletedProgram): string {
  const begin = `complete -c ${name}`;
  const lines = [
    `${begin} -f`,
    ...commands.flatMap((command) => [
      `${begin} -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...behind(command).map((rest) => `${begin} -n '__fish_seen_subcommand_from ${command.name}' ${rest}`),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

/** What is offered behind a command. */
function behind({ options, operands }: CompletedCommand): string[] {
  const flags = options.map(({ names, value, help }) => {
    const forms = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const words = typeof value === "object" && "words" in value ? ` -f -a ${quoted(value.words.join(" "))}` : "";
    return `${forms.join(" ")}${value === undefined ? "" : ` -r${words}`} -d ${quoted(help)}`;
  });
  if (operands === "nothing") return flags;
  if (operands === "files") return [...flags, "-F"];
  if ("words" in operands) return [...flags, `-a ${quoted(operands.words.join(" "))}`];
  return [...flags, `-a ${quoted(`(${operands.printedBy} 2>/dev/null)`)}`];
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
