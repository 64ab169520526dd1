import { isCollection, LineCounter, parseAllDocuments, visit, type Document, type Tags } from "yaml";
import { harmlessText, KindlingError, messageOf } from "@kindling/core-spec";
import { repeatedKeys } from "./repeated-keys.ts";
import { fieldsOf } from "./untrusted.ts";

/** More than an API server accepts, but small enough for the parser. */
export const MOST_BYTES: number = 4 * 1024 * 1024;

// A map and the list in it may be in the same column, and the parser calls itself for each: it supports about 800 levels.
const TOO_DEEP = /^[ \t?:-]{201}/m;
const DEEPEST_BRACKETS = 300;

/** One object of a file. */
export interface Manifest {
  /** Its place in the file, for messages. */
  readonly origin: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads the objects of a file as kubectl does: JSON, or documents of YAML 1.1 without its times and its numbers to the base
 * 60. The items of a List are separate objects; empty documents are ignored. If a key is repeated, the last value counts.
 *
 * @param origin the name of the file
 * @param tell called for each such key
 * @throws KindlingError `FILE_UNPARSABLE`
 */
export function parseManifests(text: string, origin: string, tell: (notice: string) => void = () => {}): Manifest[] {
  const documents = documentsOf(text, origin, (repeated) => tell(`${origin}: ${repeated}`));
  const all = documents.flatMap((value, index) => {
    const where = documents.length === 1 ? origin : `${origin}, document ${index + 1}`;
    if (value === null) return [];
    const fields = fieldsOf(value);
    if (fields["kind"] !== "List") return [{ origin: where, fields }];
    const items: readonly unknown[] = Array.isArray(fields["items"]) ? fields["items"] : [];
    return items.map((item, at) => ({ origin: `${where}, item ${at + 1}`, fields: fieldsOf(item) }));
  });
  if (all.length === 0) throw unparsable(origin, "there is no object in it");
  return all;
}

function documentsOf(text: string, origin: string, tell: (repeated: string) => void): unknown[] {
  if (text.trimStart().startsWith("{")) {
    try {
      const value: unknown = JSON.parse(text);
      tellRepeatedOfJson(text, tell);
      return [value];
    } catch {
      // A flow mapping is YAML as well.
    }
  }
  if (isTooDeep(text)) throw unparsable(origin, "it is nested too deeply");
  try {
    const { documents, lines } = yamlDocuments(text);
    const fault = documents.flatMap(({ errors }) => errors)[0];
    if (fault !== undefined) throw fault;
    const key = documents.flatMap(keysThatAreNone)[0];
    if (key !== undefined) throw new Error(`a key is a map or a list at line ${lines.linePos(key).line}`);
    const values = documents.map((document): unknown => document.toJS());
    for (const document of documents) repeatedKeys(document, lines).forEach(tell);
    return values;
  } catch (error) {
    // The first line says what is wrong and where; the others quote the file.
    const [problem = ""] = messageOf(error).split("\n");
    throw unparsable(origin, harmlessText(problem.replace(/:$/, ""), 200), isTemplate(text) ? RENDER : undefined);
  }
}

function yamlDocuments(text: string): { readonly documents: readonly Document[]; readonly lines: LineCounter } {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    version: "1.1",
    customTags: withoutTimes,
    prettyErrors: true,
    uniqueKeys: false,
    lineCounter: lines,
  }).slice();
  return { documents, lines };
}

/** JSON's own parser drops repeated keys; parsed as YAML, the same text still has them. */
function tellRepeatedOfJson(text: string, tell: (repeated: string) => void): void {
  if (text.length > LARGEST_TWICE || isTooDeep(text)) return;
  const { documents, lines } = yamlDocuments(text);
  if (documents.every(({ errors }) => errors.length === 0))
    for (const document of documents) repeatedKeys(document, lines).forEach(tell);
}

/** Larger JSON files are written by programs, and looking for repeated keys in them takes seconds. */
const LARGEST_TWICE = 512 * 1024;

/** Kubernetes' YAML has no type for times: `2026-01-01` and `1:30` are texts there. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => {
    if (typeof tag !== "object") return tag !== "timestamp";
    return tag.tag !== "tag:yaml.org,2002:timestamp" && !("format" in tag && tag.format === "TIME");
  });
}

function isTooDeep(text: string): boolean {
  if (TOO_DEEP.test(text)) return true;
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === "[" || bracket === "{" ? 1 : -1));
    if (open > DEEPEST_BRACKETS) return true;
  }
  return false;
}

/** The positions of keys that cannot be in a Kubernetes object: YAML reads a `{{ … }}` without quotes in this way. */
function keysThatAreNone(document: Document): number[] {
  const begins: number[] = [];
  visit(document, {
    Pair(_key, { key }) {
      if (isCollection(key)) begins.push(key.range?.[0] ?? 0);
    },
  });
  return begins;
}

/** Whether it looks like a template of Helm or Airflow. */
function isTemplate(text: string): boolean {
  return /\{\{|\{%/.test(text);
}

const RENDER =
  "it looks like a template: render it first, as helm template does, or leave it to the Airflow operator that fills it in";

function unparsable(
  origin: string,
  problem: string,
  hint = "it must hold objects in YAML or JSON, as kubectl create takes them",
): KindlingError {
  return new KindlingError("FILE_UNPARSABLE", `${origin}: ${problem}`, { hint });
}
