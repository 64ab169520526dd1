import { isAlias, isMap, isScalar, isSeq, parseAllDocuments, type Alias, type Scalar, type YAMLMap } from "yaml";
import { javaDoubleToString } from "@kindling/core-spec";
import { TemplateFault, type TemplateNode } from "./template-node.ts";
import { withoutTabs } from "./yaml-tabs.ts";

/** How Spark's client reads YAML, as far as its versions differ. */
export interface YamlReader {
  /** Whether tabs are allowed between brackets. */
  readonly tabsInBrackets: boolean;
}

// Spark's client accepts no longer keys, and no more aliases of maps and lists in a whole file.
const LONGEST_KEY = 1024;
const MOST_ALIASES = 50;
// Aliases of lists of aliases multiply the values.
const MOST_VALUES = 150_000;
// Characters that YAML 1.2 does not call printable (5.1).
const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u;

// Spark reads pod templates with fabric8's client, whose YAML knows only JSON's words (snakeyaml-engine's JSON schema):
// `yes`, `on`, `0644`, `~` and `True` are texts, not booleans, octal numbers or nulls.
const NULL = /^(?:null)?$/;
const BOOLEAN = /^(?:true|false)$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const FLOAT = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?$/;
const NO_NUMBERS = new Map([
  [".inf", Infinity],
  ["-.inf", -Infinity],
  [".nan", Number.NaN],
]);

const TAGS = "tag:yaml.org,2002:";

/**
 * Reads the documents of a YAML text, without empty ones.
 *
 * @throws TemplateFault if Spark's client would not accept the text as YAML, and any error of the parser
 */
export function readYaml(given: string, reader: YamlReader): TemplateNode[] {
  const unprintable = UNPRINTABLE.exec(given);
  if (unprintable !== null) throw new TemplateFault(unprintable.index, "there is a control character");
  // The parser does not accept a carriage return without a line feed.
  const text = withoutTabs(given.replace(/\r(?!\n)/g, "\n"), reader.tabsInBrackets);
  const documents = parseAllDocuments(text, {
    // All scalars are texts here; the code below handles tags.
    schema: "failsafe",
    resolveKnownTags: false,
    // The library would compare each key with all keys before it.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
  if (!Array.isArray(documents)) return [];
  for (const { errors, warnings } of documents) {
    const [error] = errors;
    if (error !== undefined) throw new TemplateFault(error.pos[0], unquoted(error.message));
    const version = warnings.find(({ message }) => /^Unsupported YAML version (?!1\.)/.test(message));
    if (version !== undefined) throw new TemplateFault(version.pos[0], version.message);
  }
  return documents.map((document) => new Reader(text).nodeOf(document.contents)).filter(({ kind }) => kind !== "null");
}

/** The library's message without its quotations: a file may contain secrets, and megabytes in one line. */
function unquoted(message: string): string {
  return message.replace(/: ["'`].*$/s, "");
}

/** Converts one document, alias by alias. */
class Reader {
  readonly #text: string;
  /** Without a node: it is still being read. */
  readonly #anchored = new Map<string, { readonly node?: TemplateNode; readonly values?: number }>();
  #aliases = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  nodeOf(node: unknown): TemplateNode {
    if (isAlias(node)) return this.#aliased(node);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchored.set(anchor, {});
    const before = this.#values;
    const read = this.#read(node);
    this.#count(1, read.at);
    if (anchor !== undefined) this.#anchored.set(anchor, { node: read, values: this.#values - before });
    return read;
  }

  #read(node: unknown): TemplateNode {
    if (isScalar(node)) return scalarOf(node, this.#textOf(node));
    const at = isMap(node) || isSeq(node) ? (node.range?.[0] ?? 0) : 0;
    if (isMap(node)) {
      if (isForeign(node.tag, "map")) throw unknownTag(at, node.tag);
      return { kind: "map", members: this.#membersOf(node), at };
    }
    if (isSeq(node)) {
      if (isForeign(node.tag, "seq")) throw unknownTag(at, node.tag);
      return { kind: "list", items: node.items.map((item) => this.nodeOf(item)), at };
    }
    return { kind: "null", text: "", at };
  }

  /** The library ends a block scalar with a line feed even if the file ends without one. */
  #textOf({ value, type, range }: Scalar): string {
    const text = String(value);
    const isOpen = type?.startsWith("BLOCK") === true && range?.[1] === this.#text.length && !this.#text.endsWith("\n");
    return isOpen ? text.replace(/\n$/, "") : text;
  }

  #membersOf({ items }: YAMLMap): (readonly [string, TemplateNode])[] {
    const seen = new Set<string>();
    return items.map(({ key, value }) => {
      const { kind, at, ...rest } = this.nodeOf(key);
      if (kind === "null" || !("text" in rest)) throw new TemplateFault(at, "the key of a map must be a text");
      // `1` and `"1"` are two keys, and the second one counts.
      const seenAs = `${kind} ${rest.text}`;
      if (seen.has(seenAs)) throw new TemplateFault(at, "Map keys must be unique");
      seen.add(seenAs);
      if (rest.text.length > LONGEST_KEY) {
        throw new TemplateFault(at, `the key is longer than ${LONGEST_KEY} characters`);
      }
      return [rest.text, this.nodeOf(value)];
    });
  }

  #aliased({ source, range }: Alias): TemplateNode {
    const at = range?.[0] ?? 0;
    const anchored = this.#anchored.get(source);
    if (anchored === undefined) throw new TemplateFault(at, `there is no anchor &${source} before this alias`);
    const { node, values = 1 } = anchored;
    if (node === undefined) throw new TemplateFault(at, "an alias is inside the value that it refers to");
    if (node.kind === "list" || node.kind === "map") this.#aliases++;
    if (this.#aliases > MOST_ALIASES) {
      throw new TemplateFault(at, `there are more than ${MOST_ALIASES} aliases of maps and lists`);
    }
    this.#count(values, at);
    return node;
  }

  #count(values: number, at: number): void {
    this.#values += values;
    if (this.#values > MOST_VALUES) throw new TemplateFault(at, `there are more than ${MOST_VALUES} values`);
  }
}

function scalarOf({ tag, type, range }: Scalar, text: string): TemplateNode {
  const at = range?.[0] ?? 0;
  if (tag === undefined) return type === "PLAIN" ? plainOf(text, at) : { kind: "text", text, at };
  const plain = plainOf(text, at);
  switch (tag) {
    case "!":
    case `${TAGS}str`:
      return { kind: "text", text, at };
    case `${TAGS}null`:
      return { kind: "null", text: "", at };
    case `${TAGS}binary`:
      return { kind: "bytes", text: text.replace(/\s/g, ""), at };
    case `${TAGS}bool`:
      if (plain.kind === "boolean") return plain;
      break;
    case `${TAGS}int`:
      if (plain.kind === "integer") return plain;
      break;
    case `${TAGS}float`:
      if (plain.kind === "float") return plain;
      if (plain.kind === "integer") return floatOf(Number(text), at);
      break;
    default:
      throw unknownTag(at, tag);
  }
  throw new TemplateFault(at, "the value does not fit its tag");
}

function plainOf(text: string, at: number): TemplateNode {
  if (NULL.test(text)) return { kind: "null", text, at };
  if (BOOLEAN.test(text)) return { kind: "boolean", text, at };
  if (INTEGER.test(text)) return { kind: "integer", text: text === "-0" ? "0" : text, at };
  const number = FLOAT.test(text) ? Number(text) : NO_NUMBERS.get(text);
  return number === undefined ? { kind: "text", text, at } : floatOf(number, at);
}

/** In Java's format for a double: Spark's client uses it if the field is a text. */
function floatOf(number: number, at: number): TemplateNode {
  return { kind: "float", text: javaDoubleToString(number), number, at };
}

function isForeign(tag: string | undefined, own: string): boolean {
  return tag !== undefined && tag !== "!" && tag !== TAGS + own;
}

function unknownTag(at: number, tag: string | undefined): TemplateFault {
  return new TemplateFault(at, `the tag ${tag?.replace(TAGS, "!!") ?? ""} is not known here`);
}
