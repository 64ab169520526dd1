const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text has no more values: objects, lists, texts, numbers and so on, one within the other. Each takes some
 * 70 bytes of memory once it is parsed, though it may be written in two.
 */
export function hasAtMostValues(json: string | Uint8Array, most: number): boolean {
  return json.length <= most || countValues(json, most) <= most;
}

/**
 * How many values a JSON text has at most, counted without making any of them.
 *
 * @param enough where counting may end
 */
export function countValues(json: string | Uint8Array, enough: number = Infinity): number {
  let values = 1;
  let inString = false;
  let escaped = false;
  for (let at = 0; at < json.length && values <= enough; at++) {
    const character = typeof json === "string" ? json.charCodeAt(at) : json[at];
    if (escaped) escaped = false;
    else if (character === QUOTE) inString = !inString;
    else if (inString) escaped = character === BACKSLASH;
    // Every value but the first stands behind one of these.
    else if (character === COMMA || character === COLON || character === BRACKET || character === BRACE) values++;
  }
  return values;
}
