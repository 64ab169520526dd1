import type { SeenRequest } from "@kindling/test-kit/api-recorder";

/**
 * The kind of a request, without names: `GET pods`, `LIST pods`, `WATCH pods`, `PUT sparkapplications status`. A dry run
 * is a `TRY`.
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

/** The namespace in a request's path. */
export function namespaceOf({ path }: SeenRequest): string {
  return /\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? "";
}
