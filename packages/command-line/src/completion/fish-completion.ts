import type { CompletedCommand, CompletedProgram, Offer } from "./completion.ts";

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

/** What is offered after a command. */
function behind({ options, operands }: CompletedCommand): string[] {
  const flags = options.map(({ names, value, help }) => {
    const forms = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
    const words = typeof value === "object" ? ` -f -a ${wordsOf(value)}` : "";
    return `${forms.join(" ")}${value === undefined ? "" : ` -r${words}`} -d ${quoted(help)}`;
  });
  if (operands === "nothing") return flags;
  if (operands === "files") return [...flags, "-F"];
  return [...flags, `-a ${wordsOf(operands)}`];
}

function wordsOf(offer: Extract<Offer, object>): string {
  if ("words" in offer) return quoted(offer.words.join(" "));
  return quoted(`(${offer.printedBy} -- (commandline -opc) 2>/dev/null)`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
