const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** How many values a JSON text has at most, counted without making any of them. */
export function countValues(text: Uint8Array): number {
  let values = 1;
  let inString = false;
  let escaped = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (escaped) escaped = false;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) escaped = byte === BACKSLASH;
    // Every value but the first stands behind one of these.
    else if (byte === COMMA || byte === COLON || byte === BRACKET || byte === BRACE) values++;
  }
  return values;
}
