// ECMA-48, 8.3.117, SELECT GRAPHIC RENDITION: the one control sequence that only changes how letters look.
const GRAPHIC = /\u001B\[[\d;:]*m/y;
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const KEPT: ReadonlySet<string> = new Set(["\n", "\t"]);

/**
 * A text with any number of lines as it may be printed on a terminal: line breaks, tabs and colours stay. Everything else
 * that controls a terminal or is invisible is shown as an escape, such as `\u{1b}`. Use it where texts leave the process.
 * Texts from outside that are part of a message must be made harmless before, because a line break in them would forge a
 * line.
 */
export function terminalText(text: string): string {
  return text.replace(HARMFUL, (character, at: number) => {
    GRAPHIC.lastIndex = at;
    const isKept = KEPT.has(character) || (character === "\u001B" && GRAPHIC.test(text));
    return isKept ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/**
 * A line of an application's log as it may be printed on a terminal. A colour ends with its line: otherwise it would colour
 * the next lines and could hide them.
 */
export function terminalLine(line: string): string {
  const shown = terminalText(line.endsWith("\r") ? line.slice(0, -1) : line);
  const last = shown.lastIndexOf("\u001B[");
  return last < 0 || /^\u001B\[0*m/.test(shown.slice(last, last + 5)) ? shown : `${shown}\u001B[0m`;
}
