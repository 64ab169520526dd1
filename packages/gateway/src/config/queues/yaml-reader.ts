import { harmlessText } from "@kindling/core-spec";
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

/** What is wrong with a file, and where. */
export interface Fault {
  readonly line: number;
  readonly message: string;
}

/** A YAML file, with the faults that were found in it. */
export class YamlReader {
  readonly faults: Fault[] = [];
  readonly #lines = new LineCounter();
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The root node: null if the file is empty. If the file is not YAML, faults are recorded and the result is undefined. */
  contents(): unknown {
    const document = parseDocument(this.#text, { lineCounter: this.#lines, prettyErrors: false });
    for (const { pos, message } of document.errors) this.faultAt(this.#lines.linePos(pos[0]).line, harmless(message));
    return document.errors.length > 0 ? undefined : document.contents;
  }

  /**
   * The members of a map. If the node is not a map, a fault is recorded and the result is undefined. If `known` is given, every
   * other name is a fault.
   */
  fields(node: unknown, what: string, known: readonly string[] | undefined): ReadonlyMap<string, Node> | undefined {
    if (!isMap<Node, Node>(node)) {
      this.faultAt(isNode(node) ? this.lineOf(node) : 1, `${what} is not a map of names and values`);
      return undefined;
    }
    const fields = new Map<string, Node>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (known !== undefined && !known.includes(name)) {
        this.fault(key, `${what} has no ${harmless(name)}: there is ${known.join(", ")}`);
      } else if (isNode(value) && !(isScalar(value) && value.value === null)) fields.set(name, value);
    }
    return fields;
  }

  lineOf({ range }: Node): number {
    return this.#lines.linePos(range?.[0] ?? 0).line;
  }

  fault(node: Node, message: string): void {
    this.faultAt(this.lineOf(node), message);
  }

  faultAt(line: number, message: string): void {
    this.faults.push({ line, message });
  }
}

/** Lists, maps and scalars as in JSON. Aliases (references to another part of the file) are left out. */
export function toPlain(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(toPlain);
  if (isMap(node)) {
    return Object.fromEntries(node.items.map(({ key, value }) => [String(toPlain(key)), toPlain(value)]));
  }
  return isScalar(node) ? node.value : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}

/** Text from the file, in a form that messages may contain. */
export function harmless(text: string): string {
  return harmlessText(text, 100);
}
