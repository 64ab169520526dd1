/** What of a line of a console block somebody wants to paste: from a character to another one; `undefined` of output. */
export type Pasted = { readonly from: number; readonly to: number } | undefined;

const PROMPT = "$ ";

/**
 * Which parts of a block of `console` are commands: what stands behind `$ `, and the lines that a shell would ask for then,
 * behind a backslash and between single quotes. All else is what the commands print. Remarks at the end of a command are
 * for readers: zsh takes them for arguments.
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
