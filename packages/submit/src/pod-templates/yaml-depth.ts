/** A person writes nothing that is nested deeper; the YAML parser supports about 800 levels. */
const DEEPEST = 256;

/**
 * Where YAML or JSON becomes too deep for the parser; `undefined` if it does not. The parser calls itself for each level. If
 * the stack ends during that, the whole process may end, because Node cannot prepare a regular expression there. So this is
 * checked before. Brackets in texts and comments count too, but few texts have hundreds of unclosed ones.
 */
export function tooDeepAt(text: string): number | undefined {
  // The columns of the maps and lists that a line continues, by indentation and by indicators within the line: `- - a`.
  const columns: number[] = [];
  let brackets = 0;
  let lineStart = 0;
  let isLead = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\n" || character === "\r") {
      lineStart = at + 1;
      isLead = true;
      continue;
    }
    if (character === "[" || character === "{") brackets++;
    else if ((character === "]" || character === "}") && brackets > 0) brackets--;
    if (isLead && character !== " " && character !== "\t") {
      while ((columns.at(-1) ?? -1) >= at - lineStart) columns.pop();
      columns.push(at - lineStart);
      isLead = isIndicator(character, text[at + 1]);
    }
    if (brackets + columns.length > DEEPEST) return at;
  }
  return undefined;
}

/** What an item of a list, a key or a value begins with (YAML 1.2.2, 8.2). */
function isIndicator(character: string | undefined, next: string | undefined): boolean {
  return (character === "-" || character === "?" || character === ":") && (next === " " || next === "\t");
}
