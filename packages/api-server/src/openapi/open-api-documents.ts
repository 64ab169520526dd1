import type { JsonObject } from "@kindling/kube-objects";
import type { ResourceType } from "../resources/resource-type.ts";
import type { ResourceTypes } from "../resources/resource-types.ts";

const INFO = { title: "Kubernetes", version: "1.34" };

/**
 * The document at a path of OpenAPI 3; undefined if there is none. It describes only the query parameters of patches: kubectl
 * and Helm read there whether this server validates fields, so that they need not. The fields themselves are not described.
 */
export function openApiDocument(types: ResourceTypes, path: string): JsonObject | undefined {
  if (path === "/openapi/v3") return { paths: index(types) };
  if (!path.startsWith("/openapi/v3/")) return undefined;
  const own = types.all().filter((type) => path === `/openapi/v3/${placeOf(type)}`);
  if (own.length === 0) return undefined;
  const paths = Object.fromEntries(own.map((type) => [`${pathOf(type)}/{name}`, { patch: patchOf(type) }]));
  return { openapi: "3.0.0", info: INFO, paths, components: { schemas: {} } };
}

function index(types: ResourceTypes): JsonObject {
  const places = [...new Set(types.all().map(placeOf))].sort();
  return Object.fromEntries(places.map((place) => [place, { serverRelativeURL: `/openapi/v3/${place}` }]));
}

function placeOf({ group, apiVersion }: ResourceType): string {
  return group === "" ? `api/${apiVersion}` : `apis/${apiVersion}`;
}

function pathOf(type: ResourceType): string {
  return `/${placeOf(type)}/${type.namespaced ? "namespaces/{namespace}/" : ""}${type.plural}`;
}

function patchOf({ group, version, kind }: ResourceType): JsonObject {
  const parameters = ["dryRun", "fieldManager", "fieldValidation", "force"];
  return {
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": { group, version, kind },
    parameters: parameters.map((name) => ({
      name,
      in: "query",
      schema: { type: name === "force" ? "boolean" : "string", uniqueItems: true },
    })),
    responses: { "200": { description: "OK" } },
  };
}
