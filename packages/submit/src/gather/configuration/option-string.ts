/**
 * Splits a text of JVM options as spark-submit's launcher does (CommandBuilderUtils.parseOptionString): blanks separate
 * options, single and double quotes group, and a backslash escapes the next character outside single quotes.
 *
 * @returns `undefined` if a quote or a backslash at the end is left open
 */
export function splitOptionString(text: string): string[] | undefined {
  const options: string[] = [];
  let option: string | undefined;
  let quote: '"' | "'" | undefined;
  let isEscaped = false;
  for (const character of text) {
    if (isEscaped) {
      option = (option ?? "") + character;
      isEscaped = false;
    } else if (character === "\\" && quote !== "'") {
      option ??= "";
      isEscaped = true;
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      option ??= "";
      quote = character;
    } else if (quote === undefined && isWhitespace(character)) {
      if (option !== undefined) options.push(option);
      option = undefined;
    } else {
      option = (option ?? "") + character;
    }
  }
  if (quote !== undefined || isEscaped) return undefined;
  return option === undefined ? options : [...options, option];
}

/** Character.isWhitespace of Java, which treats no-break spaces as letters. */
function isWhitespace(character: string): boolean {
  return /^[\t-\r\u001C-\u0020\u1680\u2000-\u2006\u2008-\u200A\u2028\u2029\u205F\u3000]$/.test(character);
}
