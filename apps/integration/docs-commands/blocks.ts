/** A command of a page, and the output that the page shows. */
export interface DocumentedCommand {
  readonly text: string;
  readonly output: readonly string[];
  /** Its line, counted from 1. */
  readonly line: number;
}

/** The commands of a Markdown page, in order, from its `console` and `sh` blocks. */
export function documentedCommands(markdown: string): readonly DocumentedCommand[] {
  const commands: DocumentedCommand[] = [];
  let language: string | undefined;
  let block: Line[] = [];
  for (const [index, text] of markdown.split("\n").entries()) {
    const [, fence] = /^```(\w*)\s*$/.exec(text) ?? [];
    if (fence === undefined) {
      block.push({ text, number: index + 1 });
      continue;
    }
    if (language === "console") commands.push(...ofConsole(block));
    if (language === "sh" || language === "bash") commands.push(...ofScript(block));
    language = language === undefined ? fence : undefined;
    block = [];
  }
  return commands;
}

interface Line {
  readonly text: string;
  readonly number: number;
}

/** A command follows each `$` and continues as in a shell; the lines after it are its output. */
function ofConsole(lines: readonly Line[]): DocumentedCommand[] {
  const commands: { text: string; output: string[]; line: number }[] = [];
  let goesOn = false;
  for (const { text, number } of lines) {
    const last = commands.at(-1);
    if (last !== undefined && goesOn) last.text += `\n${text}`;
    else if (text.startsWith("$ ")) commands.push({ text: text.slice(2), output: [], line: number });
    else last?.output.push(text);
    goesOn = isUnfinished(commands.at(-1));
  }
  return commands;
}

/** Each line is a command, except for empty lines, comments, and lines that continue the line before. */
function ofScript(lines: readonly Line[]): DocumentedCommand[] {
  const commands: { text: string; output: string[]; line: number }[] = [];
  let goesOn = false;
  for (const { text, number } of lines) {
    const last = commands.at(-1);
    if (goesOn && last !== undefined) last.text += `\n${text}`;
    else if (text.trim() !== "" && !text.startsWith("#")) commands.push({ text, output: [], line: number });
    goesOn = isUnfinished(commands.at(-1));
  }
  return commands;
}

/** Whether a shell would ask for more: after a backslash at the end of a line, and between single quotes. */
function isUnfinished(command: { readonly text: string; readonly output: readonly string[] } | undefined): boolean {
  if (command === undefined || command.output.length > 0) return false;
  const { text } = command;
  const quotes = text.replaceAll(/"[^"']*"|\s#.*$/gm, "").split("'").length - 1;
  return text.endsWith("\\") || quotes % 2 === 1;
}
