import { Lexer } from "yaml";
import { TemplateFault } from "./template-node.ts";

// The lexer's marks, which are not in the text: for a scalar without quotes, a document, and an early end.
const SCALAR = "\u001f";
const MARKS = new Set([SCALAR, "\u0002", "\u0018"]);
const OPENING = new Set(["[", "{"]);
const CLOSING = new Set(["]", "}"]);

/**
 * A text with blanks instead of the tabs that Spark's client accepts as blanks. The library accepts tabs in every place that
 * YAML 1.2 allows, except at the beginning of lines. snakeyaml-engine accepts them after scalars without quotes and, in newer
 * versions, between brackets.
 *
 * @throws TemplateFault for any other tab outside of scalars
 */
export function withoutTabs(text: string, inBrackets: boolean): string {
  if (!text.includes("\t")) return text;
  let result = "";
  let depth = 0;
  let isBlock = false;
  let isAfterPlain = false;
  let before = "";
  for (const token of new Lexer().lex(text)) {
    const isScalar = before === SCALAR;
    const isPlain = isScalar && !isBlock;
    if (isScalar) isBlock = false;
    else if (OPENING.has(token)) depth++;
    else if (CLOSING.has(token)) depth--;
    else if (/^[|>]/.test(token)) isBlock = true;
    const isBlank = !isScalar && /^[ \t]+$/.test(token);
    // A scalar without quotes may continue in the next line, but not after a tab.
    const tab = isPlain ? token.search(/(?<=\n *)\t/) : isBlank ? token.indexOf("\t") : -1;
    const isFine = !isPlain && (isAfterPlain || (inBrackets && depth > 0));
    if (tab >= 0 && !isFine) {
      throw new TemplateFault(result.length + tab, "there is a tab where only blanks may stand");
    }
    isAfterPlain = isPlain;
    before = token;
    if (!MARKS.has(token)) result += isBlank ? " ".repeat(token.length) : token;
  }
  return result;
}
