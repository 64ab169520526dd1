import {
  harmlessText,
  isKindlingError,
  KindlingError,
  messageOf,
  type SparkVersion,
  type TemplateKind,
} from "@kindling/core-spec";
import { readJson } from "./read-json.ts";
import { readYaml } from "./read-yaml.ts";
import { settle } from "./settle.ts";
import { TemplateFault, type TemplateNode } from "./template-node.ts";
import { TypeTable } from "./type-table.ts";
import { tooDeepAt } from "./yaml-depth.ts";

/**
 * Reads one object from YAML or JSON as Spark reads pod templates: with the YAML and JSON of fabric8's client, and with the
 * types of its classes for the fields of a kind. Empty documents around the object are ignored.
 *
 * @param origin what asked for the text and where it is from, for the error
 * @param kind what the object is; without it each value has the type that YAML gives it
 * @param version the Spark version to follow
 * @throws KindlingError `TEMPLATE_INVALID` with line, column and field
 */
export function parseYaml(
  text: string,
  origin: string,
  kind: TemplateKind | undefined,
  version: SparkVersion,
): unknown {
  try {
    const types = { table: tableOf(version), goIntegers: version.has("octal-file-modes") };
    return settle(rootOf(text, version), kind ?? "any", "", types);
  } catch (error) {
    if (isKindlingError(error)) throw error;
    // The parser throws this instead of reporting it: the text is too deep for the stack.
    if (!(error instanceof TemplateFault))
      throw invalid(origin, error instanceof RangeError ? TOO_DEEP : messageOf(error));
    throw invalid(origin, error.at < 0 ? error.message : `${placeOf(text, error.at)}: ${error.message}`);
  }
}

function rootOf(text: string, version: SparkVersion): TemplateNode {
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined) throw new TemplateFault(deepAt, TOO_DEEP);
  const json = jsonOf(text);
  const documents = json === undefined ? readYaml(text, { tabsInBrackets: version.has("tabs-in-brackets") }) : [json];
  const [root, second] = documents;
  if (root === undefined) throw whole("the file is empty");
  if (second !== undefined) throw whole(`the file holds ${documents.length} objects instead of one`);
  if (root.kind !== "map") throw whole("the file holds no object");
  return root;
}

/** Spark's client reads a text that begins with a brace as JSON. Here it may also be YAML in braces. */
function jsonOf(text: string): TemplateNode | undefined {
  if (!/^[\t-\r\x1c-\x20]*\{/.test(text)) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof TemplateFault) return undefined;
    throw error;
  }
}

/** The version differences from which Spark's clients know more fields than before, oldest first. */
const RELEASES = ["pod-fields-1.32", "pod-fields-1.33", "pod-fields-1.35"] as const;

function tableOf(version: SparkVersion): TypeTable {
  return new TypeTable(RELEASES.filter((difference) => version.has(difference)).length);
}

const TOO_DEEP = "it is nested too deeply, or an alias holds itself";

/** A fault without a position. */
function whole(problem: string): TemplateFault {
  return new TemplateFault(-1, problem);
}

function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n?|\n/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function invalid(origin: string, problem: string): KindlingError {
  return new KindlingError("TEMPLATE_INVALID", `${origin}: ${harmlessText(problem, 300)}`, {
    hint: "the file must hold one object in YAML or JSON, as kubectl apply takes it",
  });
}
