/** Any value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** A request that wrote something, as a server saw it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/**
 * The last state of each object that requests created or applied, by `Kind/name`, in a form in which two runs can be
 * compared: parts that differ between runs are replaced by placeholders, named lists are sorted by name, and properties texts
 * are parsed.
 *
 * @param facts literal texts of this run (a folder, the server's address) and their placeholders
 * @param parseProperties reads Java properties text
 */
export function recordedObjects(
  requests: readonly RecordedRequest[],
  facts: Readonly<Record<string, string>>,
  parseProperties: (text: string) => Record<string, string>,
): Record<string, JsonObject> {
  const objects = new Map<string, JsonObject>();
  for (const { method, status, body } of requests) {
    if (!["POST", "PUT", "PATCH"].includes(method) || status >= 400 || !isObject(body)) continue;
    const object = normalizeObject(body, facts, parseProperties);
    const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
    const name = `${String(object["kind"])}/${String(metadata["name"])}`;
    const before = objects.get(name);
    if (before === undefined || method !== "PATCH") objects.set(name, object);
    else {
      // An apply adds to the present object.
      const old = isObject(before["metadata"]) ? before["metadata"] : {};
      objects.set(name, { ...before, ...object, metadata: { ...old, ...metadata } });
    }
  }
  return Object.fromEntries([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const SET_BY_SERVER = new Set([
  "namespace",
  "creationTimestamp",
  "managedFields",
  "resourceVersion",
  "uid",
  "generation",
]);

/** One object in comparable form. */
export function normalizeObject(
  object: JsonObject,
  facts: Readonly<Record<string, string>>,
  parseProperties: (text: string) => Record<string, string>,
): JsonObject {
  const { status: _, metadata, data, ...rest } = object;
  const kept = Object.entries(isObject(metadata) ? metadata : {}).filter(([key]) => !SET_BY_SERVER.has(key));
  const comparable = sorted({
    ...rest,
    metadata: Object.fromEntries(
      kept.map(([key, value]) => [key, key === "ownerReferences" ? withoutUids(value) : value]),
    ),
    ...(isObject(data) && {
      data: Object.fromEntries(
        Object.entries(data).map(([key, value]) => [
          key,
          key === "spark.properties" ? parseProperties(String(value)) : value,
        ]),
      ),
    }),
  });
  return JSON.parse(withPlaceholders(JSON.stringify(comparable), facts)) as JsonObject;
}

function withoutUids(owners: Json): Json {
  return Array.isArray(owners)
    ? owners.map((owner: Json) => {
        if (!isObject(owner)) return owner;
        const { blockOwnerDeletion: _, ...rest } = owner;
        return { ...rest, uid: "{uid}" };
      })
    : owners;
}

/** Sorts keys and named lists, and removes empty values, except entries of ConfigMaps and Secrets. */
function sorted(value: Json, key = ""): Json {
  if (Array.isArray(value)) return sortedList(value.map((item: Json) => sorted(item)));
  if (!isObject(value)) return value;
  const dirs = value["name"] === "SPARK_LOCAL_DIRS" && typeof value["value"] === "string" ? value["value"] : undefined;
  const object = dirs === undefined ? value : { ...value, value: dirs.split(",").sort().join(",") };
  return Object.fromEntries(
    Object.entries(object)
      .filter(([name, member]) => key === "data" || name === "value" || !isEmpty(member))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member, name)]),
  );
}

function sortedList(list: readonly Json[]): Json {
  const key = ["mountPath", "name", "key"].find(
    (name) => list.length > 0 && list.every((item) => isObject(item) && name in item),
  );
  if (key === undefined) return list;
  const order = (item: Json): string => `${isObject(item) ? String(item[key]) : ""}\0${JSON.stringify(item)}`;
  return [...list].sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

function isEmpty(value: Json): boolean {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** A text with placeholders for the parts that differ between runs. */
export function withPlaceholders(text: string, facts: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [literal, placeholder] of Object.entries(facts).sort(([a], [b]) => b.length - a.length)) {
    const escaped = JSON.stringify(literal)
      .slice(1, -1)
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    result = result.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "g"), placeholder);
  }
  return (
    result
      .replace(/spark-[0-9a-f]{32}/g, "{appId}")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{uuid}")
      .replace(/(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])/g, "{id}")
      // At the beginning of a name, Spark replaces an id's first digit by an x.
      .replace(/(?<![0-9a-z])x[0-9a-f]{15}(?![0-9a-f])/g, "{id}")
      .replace(/("spark\.app\.(?:submitTime|startTime)":")\d+/g, "$1{time}")
  );
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
