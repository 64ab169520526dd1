// ECMA-48, 8.3.117, SELECT GRAPHIC RENDITION: the one control sequence that only changes how letters look.
const GRAPHIC = /\u001B\[[\d;:]*m/y;
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const KEPT: ReadonlySet<string> = new Set(["\n", "\t"]);

/**
 * A text of any number of lines as a terminal may have it: line breaks, tabs and colours stay, and everything else that
 * a terminal obeys or nobody sees is shown as an escape, such as `\u{1b}`. For the place where texts leave the process;
 * what is put together of texts from outside has been made harmless before, or a line break in it would forge a line.
 */
export function terminalText(text: string): string {
  return text.replace(HARMFUL, (character, at: number) => {
    GRAPHIC.lastIndex = at;
    const isKept = KEPT.has(character) || (character === "\u001B" && GRAPHIC.test(text));
    return isKept ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/**
 * A line of an application's log as a terminal may have it. A colour ends with its line, or it would paint over what
 * comes behind, and could hide it.
 */
export function terminalLine(line: string): string {
  const shown = terminalText(line.endsWith("\r") ? line.slice(0, -1) : line);
  const last = shown.lastIndexOf("\u001B[");
  return last < 0 || /^\u001B\[0*m/.test(shown.slice(last, last + 5)) ? shown : `${shown}\u001B[0m`;
}
