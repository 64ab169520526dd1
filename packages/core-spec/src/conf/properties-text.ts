/** A line of a properties text that cannot be read. */
export class PropertiesSyntaxError extends Error {
  /** The line with the fault, counted from 1. */
  readonly line: number;

  constructor(line: number, problem: string) {
    super(problem);
    this.line = line;
  }
}

const BLANK = /[ \t\f]/;

/**
 * Reads Java properties text as `java.util.Properties.load(Reader)` does: `key=value`, `key: value` or `key value`, comments
 * with `#` or `!`, backslash escapes and continuation lines. If a key is given twice, the last value counts.
 *
 * @throws PropertiesSyntaxError for a `\u` that is not followed by four hexadecimal digits
 */
export function parseProperties(source: string): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const { text, line } of logicalLines(source)) {
    const keyEnd = endOfKey(text);
    let valueStart = keyEnd;
    while (BLANK.test(text.charAt(valueStart))) valueStart++;
    if (text[valueStart] === "=" || text[valueStart] === ":") {
      valueStart++;
      while (BLANK.test(text.charAt(valueStart))) valueStart++;
    }
    const key = unescape(text.slice(0, keyEnd), line);
    const value = unescape(text.slice(valueStart), line);
    // defineProperty, so that a key called __proto__ is an ordinary key.
    Object.defineProperty(properties, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return properties;
}

/**
 * Natural lines joined at their continuations, without comments and blank lines, each with its first line number. The pieces
 * are joined once at the end, so that the time stays linear.
 */
function* logicalLines(source: string): Generator<{ text: string; line: number }> {
  const natural = source.split(/\r\n|\n|\r/);
  for (let index = 0; index < natural.length; index++) {
    const line = index + 1;
    let last = withoutIndent(natural[index] ?? "");
    if (last === "" || last.startsWith("#") || last.startsWith("!")) continue;
    const pieces: string[] = [];
    while (endsInOpenBackslash(last)) {
      pieces.push(last.slice(0, -1));
      index++;
      last = withoutIndent(natural[index] ?? "");
    }
    yield { text: pieces.join("") + last, line };
  }
}

function withoutIndent(line: string): string {
  return line.replace(/^[ \t\f]+/, "");
}

/** Counted from the end: a pattern that ends in `$` would be tried at each backslash of the line. */
function endsInOpenBackslash(text: string): boolean {
  let start = text.length;
  while (text[start - 1] === "\\") start--;
  return (text.length - start) % 2 === 1;
}

function endOfKey(text: string): number {
  let index = 0;
  while (index < text.length && !/[=: \t\f]/.test(text.charAt(index))) index += text[index] === "\\" ? 2 : 1;
  return Math.min(index, text.length);
}

const UNESCAPED: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

function unescape(text: string, line: number): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(u[0-9a-fA-F]{4}|[^]|$)/g, (_, escaped: string) => {
    if (escaped.length === 5) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    if (escaped === "u") throw new PropertiesSyntaxError(line, "\\u is not followed by four hexadecimal digits");
    return UNESCAPED[escaped] ?? escaped;
  });
}

/**
 * Writes properties text as `java.util.Properties.store(Writer, comment)` does: the same escapes, and characters beyond ASCII
 * unchanged. Java uses the order of a hash table, and writes the date in the second line. Here the keys are sorted and there
 * is no date, so that the same configuration gives the same text.
 */
export function formatProperties(properties: Readonly<Record<string, string>>, comment: string): string {
  const lines = Object.keys(properties)
    .sort()
    .map((key) => `${escape(key, true)}=${escape(properties[key] ?? "", false)}`);
  return `#${comment}\n${lines.map((line) => `${line}\n`).join("")}`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  "\f": "\\f",
  "=": "\\=",
  ":": "\\:",
  "#": "\\#",
  "!": "\\!",
};

function escape(text: string, isKey: boolean): string {
  const escaped = text.replace(/[\\\t\n\r\f=:#!]/g, (character) => ESCAPED[character] ?? character);
  return isKey ? escaped.replaceAll(" ", "\\ ") : escaped.replace(/^ /, "\\ ");
}
