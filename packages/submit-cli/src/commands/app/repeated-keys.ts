import { isScalar, visit, type Document, type LineCounter, type Node, type Pair } from "yaml";
import { harmlessText, quotedName } from "@kindling/core-spec";

/**
 * The repeated keys in the objects of a document, one sentence each. kubectl uses the last value of such a key without a
 * message.
 *
 * @param lines knows where the lines of the document begin
 */
export function repeatedKeys(document: Document, lines: LineCounter): string[] {
  const told: string[] = [];
  visit(document, {
    Map(_key, map, path) {
      const seen = new Map<string, number[]>();
      for (const { key } of map.items) {
        // A merge may be repeated; it is no key of the object.
        if (!isScalar(key) || typeof key.value === "symbol" || key.value === "<<") continue;
        const name = String(key.value);
        seen.set(name, [...(seen.get(name) ?? []), lines.linePos(key.range?.[0] ?? 0).line]);
      }
      for (const [name, at] of seen) if (at.length > 1) told.push(sentence([...placeOf(path), name], at));
    },
  });
  return told;
}

function sentence(place: readonly string[], lines: readonly number[]): string {
  const last = lines.at(-1) ?? 0;
  const where = new Set(lines).size === 1 ? `line ${last}` : `lines ${lines.slice(0, -1).join(", ")} and ${last}`;
  return `${fieldText(place)} stands ${lines.length === 2 ? "twice" : `${lines.length} times`}, on ${where}; the last one counts`;
}

/** The keys above a map; positions in lists are left out. */
function placeOf(path: readonly (Document | Node | Pair)[]): string[] {
  return path.flatMap((step) => ("key" in step && isScalar(step.key) ? [String(step.key.value)] : []));
}

/** `spec.sparkConf["spark.ui.port"]` */
function fieldText(place: readonly string[]): string {
  return place
    .map((name, index) => {
      if (/^[A-Za-z_][\w-]*$/.test(name)) return index === 0 ? name : `.${name}`;
      return `[${quotedName(harmlessText(name, 100))}]`;
    })
    .join("");
}
