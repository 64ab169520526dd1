// @ts-check
/** @typedef {{ verb: string, resource: string, subresource: string }} RequestKind */

/**
 * The kind of a request as an API server names it: its verb, its resource, and the subresource if there is one.
 *
 * @param {string} method
 * @param {string} url path with query
 * @returns {RequestKind}
 */
export function kindOfRequest(method, url) {
  const { pathname, searchParams } = new URL(url, "http://server");
  const match =
    /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(pathname);
  if (match === null) return { verb: method, resource: pathname, subresource: "" };
  const [, resource = "", name, subresource = ""] = match;
  return { verb: verbOf(method, name, searchParams), resource, subresource };
}

/**
 * @param {string} method
 * @param {string | undefined} name
 * @param {URLSearchParams} query
 */
function verbOf(method, name, query) {
  if (method === "GET" && query.get("watch") === "true") return "WATCH";
  if (method === "GET" && name === undefined) return "LIST";
  if (method === "DELETE" && name === undefined) return "DELETECOLLECTION";
  return method;
}
