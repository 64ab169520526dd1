import type { JsonObject } from "../../json.ts";
import type { ResourceType } from "../resources/resource-type.ts";

const LIST = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "timeoutSeconds",
  "watch",
];
const WRITE = ["dryRun", "fieldManager", "fieldValidation"];
const DELETE = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
const TYPES: Readonly<Record<string, string>> = {
  allowWatchBookmarks: "boolean",
  limit: "integer",
  sendInitialEvents: "boolean",
  timeoutSeconds: "integer",
  watch: "boolean",
  gracePeriodSeconds: "integer",
  orphanDependents: "boolean",
  force: "boolean",
};
const PATCHES = ["application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json"];

/** What differs between the versions of OpenAPI: how a body and a parameter are written. */
export interface Dialect {
  readonly body: (reference: JsonObject, media: readonly string[]) => JsonObject;
  readonly answer: (reference: JsonObject) => JsonObject;
  readonly parameter: (name: string, type: string) => JsonObject;
}

/** The paths of a resource. What clients look for in them is which parameters a verb takes. */
export function resourcePaths(type: ResourceType, own: JsonObject, list: JsonObject, dialect: Dialect): JsonObject {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const place = type.namespaced ? `${root}/namespaces/{namespace}/${type.plural}` : `${root}/${type.plural}`;
  const kind = { group: type.group, version: type.version, kind: type.kind };
  const operation = (
    action: string,
    parameters: readonly string[],
    answer: JsonObject,
    extra: JsonObject = {},
  ): JsonObject => ({
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kind,
    parameters: parameters.map((name) => dialect.parameter(name, TYPES[name] ?? "string")),
    responses: { "200": dialect.answer(answer), "401": { description: "Unauthorized" } },
    ...extra,
  });
  const json = ["application/json"];
  const patches = [...PATCHES, ...(type.strategicPatch ? ["application/strategic-merge-patch+json"] : [])];
  const one: JsonObject = {
    get: operation("get", [], own),
    put: operation("put", WRITE, own, dialect.body(own, json)),
    patch: operation("patch", [...WRITE, "force"], own, dialect.body({ type: "object" }, patches)),
    delete: operation("delete", DELETE, own),
  };
  const paths: JsonObject = {
    [place]: {
      get: operation("list", LIST, list),
      post: operation("post", WRITE, own, dialect.body(own, json)),
      ...(type.verbs.includes("deletecollection")
        ? { delete: operation("deletecollection", [...DELETE, ...LIST], list) }
        : {}),
    },
    [`${place}/{name}`]: one,
  };
  if (type.subresources.some(({ name }) => name === "status")) {
    const { get, put, patch } = one;
    paths[`${place}/{name}/status`] = { get, put, patch };
  }
  if (type.namespaced) paths[`${root}/${type.plural}`] = { get: operation("list", LIST, list) };
  return paths;
}

/** OpenAPI 3. */
export const VERSION_3: Dialect = {
  body: (schema, media) => ({
    requestBody: { required: true, content: Object.fromEntries(media.map((name) => [name, { schema }])) },
  }),
  answer: (schema) => ({ description: "OK", content: { "application/json": { schema } } }),
  parameter: (name, type) => ({ name, in: "query", schema: { type, uniqueItems: true } }),
};

/** OpenAPI 2, which each operation needs a list of media types for. */
export const VERSION_2: Dialect = {
  body: (schema, media) => ({ consumes: [...media], "x-kubernetes-body": schema }),
  answer: (schema) => ({ description: "OK", schema }),
  parameter: (name, type) => ({ name, in: "query", type, uniqueItems: true }),
};
