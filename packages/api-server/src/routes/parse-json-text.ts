/** Go's parser accepts 10,000 levels, but here much code walks through objects recursively. */
const DEEPEST = 1_000;

/**
 * Parses JSON that a client has sent.
 *
 * @throws Error if it is not JSON, or is nested too deeply
 */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Most texts have fewer brackets than the allowed number of levels.
  if (bracketsIn(text) > DEEPEST && isDeep(value)) throw new Error("json: exceeded max depth");
  return value;
}

function bracketsIn(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length && count <= DEEPEST; index += 1) {
    const character = text[index];
    if (character === "{" || character === "[") count += 1;
  }
  return count;
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}
