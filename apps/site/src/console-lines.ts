/**
 * The part of a line of a console block that a reader wants to paste: from one character to another; `undefined` for output.
 */
export type Pasted = { readonly from: number; readonly to: number } | undefined;

const PROMPT = "$ ";

/**
 * Which parts of a `console` block are commands: the text after `$ `, and the lines that a shell would then ask for, after a
 * backslash and between single quotes. Everything else is output. Remarks at the end of a command are for readers: zsh takes
 * them as arguments.
 */
export function pastedParts(lines: readonly string[]): readonly Pasted[] {
  let unfinished = "";
  return lines.map((text) => {
    const isStart = unfinished === "" && text.startsWith(PROMPT);
    if (!isStart && unfinished === "") return undefined;
    const from = isStart ? PROMPT.length : 0;
    const command = `${unfinished}${text.slice(from)}`;
    const goesOn = command.endsWith("\\") || hasOpenQuote(command);
    unfinished = goesOn ? `${command}\n` : "";
    const remark = goesOn ? undefined : /\s{2,}#\s.*$/.exec(text);
    return { from, to: remark?.index ?? text.length };
  });
}

function hasOpenQuote(command: string): boolean {
  const quotes = command.replaceAll(/"[^"']*"|\s#.*$/gm, "").split("'").length - 1;
  return quotes % 2 === 1;
}
