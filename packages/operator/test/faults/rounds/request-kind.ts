import type { SeenRequest } from "@kindling/test-kit/api-recorder";

/**
 * What a request asks for, without names: `GET pods`, `LIST pods`, `WATCH pods`, `PUT sparkapplications status`. One that
 * changes nothing is a `TRY`.
 */
export function requestKind({ method, path, query }: SeenRequest): string {
  const { resource = "", name, subresource } = PATH.exec(path)?.groups ?? {};
  return [verbOf(method, query, name), resource, subresource].filter((part) => part !== undefined).join(" ");
}

const PATH =
  /^\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/]+\/)?(?<resource>[^/]+)(?:\/(?<name>[^/]+))?(?:\/(?<subresource>[^/]+))?$/;

function verbOf(method: string, query: URLSearchParams, name: string | undefined): string {
  if (query.has("dryRun")) return "TRY";
  if (method !== "GET") return method;
  if (query.get("watch") === "true") return "WATCH";
  return name === undefined ? "LIST" : "GET";
}

/** The namespace that a request is about. */
export function namespaceOf({ path }: SeenRequest): string {
  return /\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? "";
}
