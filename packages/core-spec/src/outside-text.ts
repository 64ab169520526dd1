/** How much of a text from outside is quoted in a message, in bytes of UTF-8. A server may answer with megabytes. */
export const MOST_QUOTED_BYTES = 1024;

// Cc (with the C1 controls) moves a terminal's cursor and begins its commands. Cf reverses the direction of writing and is
// otherwise invisible. Zl and Zp break lines. Cs is half a character.
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const BREAK = /[\t\n\v\f\r\u0085\u2028\u2029]/;

/**
 * Makes a text from outside safe for a message: a server's answer, a pod's message, or a name that somebody else chose. The
 * result is one line, contains no control characters for a terminal, and is limited to this number of bytes. A note at its
 * end, which is not counted, says how long the whole text was. Line breaks and tabs become blanks; other harmful characters
 * are shown as escapes, such as `\u{1b}`. A harmless text stays unchanged.
 */
export function harmlessText(text: string, mostBytes: number = MOST_QUOTED_BYTES): string {
  // Nearly all texts are harmless, and some are read by the thousand.
  if (text.length * 3 <= mostBytes && !HARMFUL.test(text)) return text;
  return shown(text, mostBytes, blankForBreaks());
}

/** The same for a name: in double quotes, with escapes for line breaks, tabs, quotes and backslashes too. */
export function quotedName(name: string, mostBytes: number = 256): string {
  return shown(name, mostBytes, escapedInQuotes, '"');
}

function shown(text: string, mostBytes: number, show: (character: string) => string, quote = ""): string {
  let result = quote;
  let bytes = 0;
  for (const character of text) {
    const next = show(character);
    bytes += utf8Length(next);
    if (bytes > mostBytes) return `${result}${quote}… (${text.length} characters in all)`;
    result += next;
  }
  return result + quote;
}

/** A run of white space with a line break in it becomes one blank. */
function blankForBreaks(): (character: string) => string {
  let afterBreak = false;
  return (character) => {
    const wasAfterBreak = afterBreak;
    const isBreak = BREAK.test(character);
    afterBreak = isBreak || (afterBreak && character === " ");
    if (isBreak) return wasAfterBreak ? "" : " ";
    return wasAfterBreak && character === " " ? "" : escaped(character);
  };
}

function escapedInQuotes(character: string): string {
  return character === '"' || character === "\\" ? `\\${character}` : escaped(character);
}

function escaped(character: string): string {
  return HARMFUL.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character;
}

/** The length of one character, or of an escape, which is ASCII (RFC 3629, 3). */
function utf8Length(text: string): number {
  const code = text.codePointAt(0) ?? 0;
  if (code < 0x80) return text.length;
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
