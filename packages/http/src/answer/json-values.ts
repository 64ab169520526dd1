const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Whether a JSON text has at most this many values: objects, lists, texts, numbers and so on, at any depth. Each takes
 * some 70 bytes of memory once it is parsed, although it may be written in two bytes.
 */
export function hasAtMostValues(json: string | Uint8Array, most: number): boolean {
  return json.length <= most || countValues(json, most) <= most;
}

/**
 * How many values a JSON text has at most, counted without parsing them.
 *
 * @param enough a count at which counting may end
 */
export function countValues(json: string | Uint8Array, enough: number = Infinity): number {
  return measureJson(json, { values: enough, depth: Infinity }).values;
}

/** The size of a JSON text in values and depth. */
export interface JsonMeasure {
  /** Objects, lists, texts, numbers and so on, at any depth. */
  readonly values: number;
  /** How deep objects and lists are nested. */
  readonly depth: number;
}

/**
 * Measures a JSON text without parsing its values. For a text that is no JSON, the result is at least what a parser would
 * make before it finds the fault.
 *
 * @param enough measuring may end as soon as one of both is exceeded
 */
export function measureJson(json: string | Uint8Array, enough: JsonMeasure): JsonMeasure {
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  let escaped = false;
  for (let at = 0; at < json.length && values <= enough.values && deepest <= enough.depth; at++) {
    const character = typeof json === "string" ? json.charCodeAt(at) : json[at];
    if (escaped) escaped = false;
    else if (character === QUOTE) inString = !inString;
    else if (inString) escaped = character === BACKSLASH;
    // Every value except the first comes after one of these.
    else if (character === COMMA || character === COLON) values++;
    else if (character === BRACKET || character === BRACE) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (character === CLOSING_BRACKET || character === CLOSING_BRACE) depth--;
  }
  return { values, depth: deepest };
}
