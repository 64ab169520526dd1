import { apiVersions, groupDocument, groupList, resourceList } from "../discovery/documents.ts";
import { type ServedGroup, servedGroups } from "../discovery/served-resources.ts";
import { openApiDocument } from "../openapi/open-api-documents.ts";
import type { Exchange } from "./exchange.ts";
import { respondJson, respondPlain } from "./respond.ts";
import type { ServedDocument, ServiceOptions } from "./service.ts";

const HEALTH = new Set(["/healthz", "/livez", "/readyz"]);

/** The default version that a server reports: this package follows the behaviour of this version. */
const VERSION: Readonly<Record<string, string>> = { major: "1", minor: "34", gitVersion: "v1.34.4" };

/** Answers discovery, OpenAPI, health and version; false for other paths. */
export function nonResourceRoutes({
  api,
  reviews = [],
  version = VERSION,
  documents = new Map<string, ServedDocument>(),
}: ServiceOptions): (exchange: Exchange) => boolean {
  const { types } = api;
  let generation = -1;
  let groups: readonly ServedGroup[] = [];
  return (exchange) => {
    if (generation !== types.generation) {
      groups = servedGroups(types, reviews);
      generation = types.generation;
    }
    const path = exchange.path.length > 1 ? exchange.path.replace(/\/$/, "") : exchange.path;
    const document =
      path === "/version" ? version : (openApiDocument(types, path) ?? discoveryDocument(exchange, path, groups));
    const more = documents.get(path);
    if (document !== undefined) respondJson(exchange, 200, document);
    else if (more !== undefined) respondDocument(exchange, more);
    else if (HEALTH.has(path)) respondPlain(exchange, 200, "ok");
    else return false;
    return true;
  };
}

function respondDocument(exchange: Exchange, { mediaType, json }: ServedDocument): void {
  const { accept, response } = exchange;
  const isWanted = accept === "" || accept.includes(mediaType) || accept.includes("*/*");
  if (!isWanted) {
    // As the real server's router says it (go-restful, curly.go).
    respondPlain(exchange, 406, `406: Not Acceptable\n\nAvailable representations: ${mediaType}`);
    return;
  }
  const body = JSON.stringify(json);
  response.writeHead(200, { "Content-Type": mediaType, "Content-Length": Buffer.byteLength(body) });
  response.end(exchange.method === "HEAD" ? undefined : body);
}

function discoveryDocument(exchange: Exchange, path: string, groups: readonly ServedGroup[]): object | undefined {
  if (path === "/api") return apiVersions(exchange.request.headers.host ?? "");
  if (path === "/apis") return groupList(groups);
  const [, root, first, second, ...rest] = path.split("/");
  if (rest.length > 0 || first === undefined) return undefined;
  const name = root === "api" ? "" : root === "apis" ? first : undefined;
  const group = groups.find((one) => one.name === name);
  const version = root === "api" ? first : second;
  if (group === undefined || (root === "api" && second !== undefined)) return undefined;
  if (version === undefined) return groupDocument(group);
  const found = group.versions.find((one) => one.version === version);
  if (found === undefined) return undefined;
  return resourceList(group.name === "" ? version : `${group.name}/${version}`, found.resources);
}
