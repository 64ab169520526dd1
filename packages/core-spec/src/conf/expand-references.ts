/** Where the names in `${name}`, `${env:NAME}` and `${system:NAME}` are looked up. */
export interface ReferenceSources {
  conf(key: string): string | undefined;
  env(name: string): string | undefined;
  system(name: string): string | undefined;
  /** The defaults of Spark's own keys. */
  fallback(key: string): string | undefined;
}

/**
 * How long a value may become when its references are expanded, in characters. Ten keys with ten references each would make
 * 10 GB.
 */
const LONGEST_EXPANSION = 1024 * 1024;
/** How many references may follow one another. */
const DEEPEST_REFERENCE = 100;

/** A reference that makes no sense: it is circular, or its value becomes too long. */
export class UnusableReference extends Error {
  /** The text between the braces. */
  readonly reference: string;

  constructor(reference: string, problem: string) {
    super(problem);
    this.reference = reference;
  }
}

/**
 * Expands `${…}` references as Spark's typed reads do (3.5.6 and 4.1.1, internal/config/ConfigReader.scala): a plain name is
 * a key that begins with `spark.`, `env:` and `system:` name the environment and the JVM's system properties. If nothing is
 * found, and the name is a key of Spark's with a default, the default is used. A reference that cannot be resolved stays
 * unchanged.
 *
 * @throws UnusableReference if a value refers to itself, or becomes longer than 1 MiB
 */
export function expandReferences(value: string, sources: ReferenceSources): string {
  return expand(value, sources, [], { left: LONGEST_EXPANSION });
}

function expand(value: string, sources: ReferenceSources, seen: readonly string[], room: { left: number }): string {
  let expanded = "";
  let copied = 0;
  for (const { start, end, text } of references(value)) {
    const { prefix, name } = partsOf(text);
    const reference = prefix === undefined ? name : `${prefix}:${name}`;
    if (seen.includes(reference)) throw new UnusableReference(reference, "refers to itself");
    if (seen.length >= DEEPEST_REFERENCE) {
      throw new UnusableReference(reference, `is behind ${DEEPEST_REFERENCE} other references`);
    }
    const found = lookUp(prefix, name, sources);
    if (found === undefined) continue;
    const inside = expand(found, sources, [...seen, reference], room);
    // References to nothing also take time.
    room.left -= inside.length + 1;
    if (room.left < 0) {
      throw new UnusableReference(reference, `makes a value of more than ${LONGEST_EXPANSION} characters`);
    }
    expanded += value.slice(copied, start) + inside;
    copied = end;
  }
  return copied === 0 ? value : expanded + value.slice(copied);
}

/** The `${…}` of a text: at least one character between the braces, and no white space. */
function* references(value: string): Generator<{ start: number; end: number; text: string }> {
  for (let start = value.indexOf("${"); start >= 0;) {
    const inside = /[\s}]/g;
    inside.lastIndex = start + 3;
    const end = isBlank(value.charAt(start + 2)) ? start + 2 : (inside.exec(value)?.index ?? value.length);
    if (value[end] === "}") yield { start, end: end + 1, text: value.slice(start + 2, end) };
    // If no closing brace follows before a blank, no other reference before that blank has one either.
    start = value.indexOf("${", end);
  }
}

function isBlank(character: string): boolean {
  return /^\s?$/.test(character);
}

/** Splits `env:NAME` at its first colon; the prefix must be a word, otherwise there is none. */
function partsOf(text: string): { readonly prefix: string | undefined; readonly name: string } {
  const colon = text.indexOf(":");
  const prefix = text.slice(0, Math.max(0, colon));
  const isPrefixed = /^\w+$/.test(prefix) && colon + 1 < text.length;
  return isPrefixed ? { prefix, name: text.slice(colon + 1) } : { prefix: undefined, name: text };
}

/**
 * Looks in the place that the prefix names. If nothing is there, looks among the defaults, for every prefix
 * (ConfigReader.getOrDefault).
 */
function lookUp(prefix: string | undefined, name: string, sources: ReferenceSources): string | undefined {
  switch (prefix) {
    case undefined:
      return (name.startsWith("spark.") ? sources.conf(name) : undefined) ?? sources.fallback(name);
    case "env":
      return sources.env(name) ?? sources.fallback(name);
    case "system":
      return sources.system(name) ?? sources.fallback(name);
    default:
      return undefined;
  }
}
