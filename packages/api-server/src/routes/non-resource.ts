import { createHash } from "node:crypto";
import { aggregated, apiVersions, groupDocument, groupList, resourceList } from "../discovery/documents.ts";
import { type ServedGroup, servedGroups } from "../discovery/served-resources.ts";
import type { OpenApiDocuments } from "../openapi/open-api-documents.ts";
import type { ResourceTypes } from "../resource-types.ts";
import type { Exchange } from "./exchange.ts";
import { respondJson, respondPlain, setCommonHeaders } from "./respond.ts";

/** What the paths beside the resources need. */
export interface NonResourceOptions {
  readonly types: ResourceTypes;
  readonly openApi: OpenApiDocuments;
  /** Host and port, as `/api` names them. */
  readonly address: () => string;
  /** Key set and issuer of service account tokens. */
  readonly keySet: () => object;
  readonly issuer: string;
}

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const HEALTH = new Set(["/healthz", "/livez", "/readyz"]);

/** The version that this server claims to be. */
export const VERSION: Readonly<Record<string, string>> = {
  major: "1",
  minor: "34",
  emulationMajor: "1",
  emulationMinor: "34",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "33",
  gitVersion: "v1.34.4+kindling",
  gitCommit: "",
  gitTreeState: "",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "linux/amd64",
};

/** Answers discovery, OpenAPI, health and version. */
export function nonResourceRoutes(options: NonResourceOptions): (exchange: Exchange) => Promise<boolean> {
  const groups = cachedGroups(options.types);
  return async (exchange) => {
    const path = exchange.path.length > 1 ? exchange.path.replace(/\/$/, "") : exchange.path;
    if (path === "/openapi/v2" || path.startsWith("/openapi/v3")) return await options.openApi.respond(exchange, path);
    const document = documentAt(path, groups(), options, exchange);
    if (document !== undefined) respondJson(exchange, 200, document);
    else if (HEALTH.has(path)) respondHealth(exchange, path.slice(1));
    else return exchange.response.headersSent;
    return true;
  };
}

function documentAt(
  path: string,
  groups: readonly ServedGroup[],
  options: NonResourceOptions,
  exchange: Exchange,
): object | undefined {
  switch (path) {
    case "/version":
      return VERSION;
    case "/":
      return { paths: paths(groups) };
    case "/openid/v1/jwks":
      return options.keySet();
    case "/.well-known/openid-configuration":
      return openIdConfiguration(options);
    case "/api":
    case "/apis": {
      const own = groups.filter(({ name }) => (name === "") === (path === "/api"));
      if (exchange.accept.includes("as=APIGroupDiscoveryList")) return respondAggregated(exchange, aggregated(own));
      return path === "/api" ? apiVersions(options.address()) : groupList(groups);
    }
    default:
      return versionDocument(path, groups);
  }
}

function versionDocument(path: string, groups: readonly ServedGroup[]): object | undefined {
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

// Gives nothing to answer with, as the answer has a media type of its own.
function respondAggregated(exchange: Exchange, document: object): undefined {
  const text = JSON.stringify(document);
  const etag = JSON.stringify(createHash("sha256").update(text).digest("hex").toUpperCase());
  const { response } = exchange;
  setCommonHeaders(exchange);
  if (exchange.request.headers["if-none-match"] === etag) {
    response.writeHead(304, { ETag: etag });
    response.end();
    return undefined;
  }
  response.writeHead(200, { "Content-Type": AGGREGATED, ETag: etag, Vary: "Accept" });
  response.end(text);
  return undefined;
}

function respondHealth(exchange: Exchange, name: string): void {
  if (exchange.query.has("verbose")) respondPlain(exchange, 200, `[+]ping ok\n${name} check passed\n`);
  else respondPlain(exchange, 200, "ok");
}

function openIdConfiguration({ issuer, address }: NonResourceOptions): object {
  return {
    issuer,
    jwks_uri: `https://${address()}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["ES256"],
  };
}

function paths(groups: readonly ServedGroup[]): string[] {
  const all = groups.flatMap(({ name, versions }) =>
    name === ""
      ? ["/api", ...versions.map(({ version }) => `/api/${version}`)]
      : [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)],
  );
  return [...all, "/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"].sort();
}

function cachedGroups(types: ResourceTypes): () => readonly ServedGroup[] {
  let generation = -1;
  let groups: readonly ServedGroup[] = [];
  return () => {
    if (generation !== types.generation) {
      groups = servedGroups(types);
      generation = types.generation;
    }
    return groups;
  };
}
