import { parse, stringify } from "yaml";

/** YAML texts with one member less, if this reader and Spark's read the text in the same way. */
export function* smallerYaml(text: string): Generator<string> {
  const document = read(text);
  if (document === undefined) return;
  const block = stringify(document);
  if (block.length < text.length) yield block;
  for (const smaller of withoutOne(document)) yield stringify(smaller);
}

function read(text: string): object | undefined {
  try {
    const document: unknown = parse(text, { logLevel: "silent" });
    return typeof document === "object" && document !== null ? document : undefined;
  } catch {
    return undefined;
  }
}

/** The value without one of its members; members at the top come first. */
function* withoutOne(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries())
      for (const smaller of withoutOne(item)) yield value.with(index, smaller);
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value);
    for (const [key] of entries) yield Object.fromEntries(entries.filter(([name]) => name !== key));
    for (const [key, member] of entries) for (const smaller of withoutOne(member)) yield { ...value, [key]: smaller };
  }
}
