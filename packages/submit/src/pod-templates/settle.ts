import { javaTrim } from "@kindling/core-spec";
import { describe, scalarReader, type NumberReader } from "./scalar-values.ts";
import { TemplateFault, type TemplateMap, type TemplateNode } from "./template-node.ts";
import type { TypeTable } from "./type-table.ts";

/** How the values of a template get their types. */
export interface Types extends NumberReader {
  readonly table: TypeTable;
}

/**
 * Gives each value the type of its field, as Jackson does when it reads a pod into the classes of Spark's client. Unknown
 * fields keep their values. Empty lists and maps of known fields are left out, as in the client; in unknown fields, only
 * members without a value are left out.
 *
 * @param type as the table writes it: `Pod`, `[]Container`, `{}string`, `any`
 * @param path of the field, for the error
 * @throws TemplateFault for a value that its field cannot have
 */
export function settle(node: TemplateNode, type: string, path: string, types: Types): unknown {
  if (node.kind === "null") {
    // Spark looks for its container there; if the field is missing, Spark sees an empty list.
    if (path === CONTAINERS && type !== "any") throw misfit(node, path, "a list");
    return undefined;
  }
  if (type.startsWith("[]")) return settleList(node, type.slice(2), path, types);
  if (type.startsWith("{}")) return settleMap(node, type.slice(2), path, types);
  const read = scalarReader(type);
  if (type === "any" && node.kind === "list") return node.items.map((item) => settle(item, type, path, types) ?? null);
  if (type === "any" && node.kind === "map") return settleMembers(node, () => type, path, types);
  if (read === undefined) {
    const fields = types.table.fieldsOf(type);
    const [only, ...others] = fields;
    if (only !== undefined && others.length === 0 && standsFor(node, only[1])) {
      return { [only[0]]: settle(node, only[1], path, types) };
    }
    if (node.kind !== "map") throw misfit(node, path, "an object");
    return settleMembers(node, (name) => fields.get(name) ?? "any", path, types);
  }
  if (node.kind === "map" || node.kind === "list") {
    if (type === "Quantity" && node.kind === "map") return settleAmount(node, path, types);
    throw misfit(node, path, NOUNS[type] ?? "a value");
  }
  const value = read(node, types);
  if (typeof value === "object") throw new TemplateFault(node.at, `${path}: ${value.wrong}`);
  return value;
}

/** Classes of the client that can be made from a single text or number: `imagePullSecrets: [registry]`. */
function standsFor(node: TemplateNode, type: string): boolean {
  if (node.kind === "text") return type === "string" || (type === "int64" && /^[-+]?\d+$/.test(javaTrim(node.text)));
  return node.kind === "integer" && type === "int64";
}

const CONTAINERS = "spec.containers";

const NOUNS: Readonly<Record<string, string>> = {
  string: "a text",
  bool: "true or false",
  int32: "a whole number",
  int64: "a whole number",
  mode: "a whole number",
  Quantity: "a quantity",
  IntOrString: "a number or a text",
};

function settleList(node: TemplateNode, type: string, path: string, types: Types): unknown {
  if (node.kind !== "list") throw misfit(node, path, "a list");
  if (node.items.length === 0) return undefined;
  // For a missing item in a list of objects, the client makes an object without fields.
  const missing = scalarReader(type) === undefined ? {} : null;
  return node.items.map((item, index) => settle(item, type, `${path}[${index}]`, types) ?? missing);
}

function settleMap(node: TemplateNode, type: string, path: string, types: Types): unknown {
  if (node.kind !== "map") throw misfit(node, path, "an object");
  if (node.members.length === 0) return undefined;
  // A server treats a missing value as the empty value of its type.
  const missing = type === "string" ? "" : null;
  const settled = node.members.map(([key, value]) => [key, settle(value, type, `${path}.${key}`, types) ?? missing]);
  return Object.fromEntries(settled) as unknown;
}

function settleMembers(
  { members }: TemplateMap,
  typeOf: (name: string) => string,
  path: string,
  types: Types,
): Record<string, unknown> {
  const settled = new Map<string, unknown>();
  for (const [name, value] of members) {
    const member = settle(value, typeOf(name), path === "" ? name : `${path}.${name}`, types);
    if (member === undefined) settled.delete(name);
    else settled.set(name, member);
  }
  return Object.fromEntries(settled);
}

/** A quantity that is written as the client keeps it. */
function settleAmount(node: TemplateMap, path: string, types: Types): string {
  const { amount, format = "" } = settleMembers(node, () => "string", path, types);
  if (typeof amount !== "string" || typeof format !== "string") throw misfit(node, path, "a quantity");
  return amount + format;
}

function misfit(node: TemplateNode, path: string, wanted: string): TemplateFault {
  return new TemplateFault(node.at, `${path}: ${wanted} is expected, not ${describe(node)}`);
}
