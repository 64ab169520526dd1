/** What a path is about: an object, a collection, or something that is not a resource. */
export interface ResourceTarget {
  readonly kind: "resource";
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string;
}

export interface OtherTarget {
  readonly kind: "other";
  readonly path: string;
}

export type RequestTarget = ResourceTarget | OtherTarget;

const NAMESPACE_PARTS = new Set(["status"]);

/** Reads the path of a request. Paths of groups and versions themselves are not resources. */
export function parseTarget(path: string): RequestTarget {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(safeDecode);
  const other: OtherTarget = { kind: "other", path };
  const [root, ...rest] = parts;
  if (root !== "api" && root !== "apis") return other;
  const group = root === "api" ? "" : (rest.shift() ?? "");
  const version = rest.shift();
  if (version === undefined || rest.length === 0) return other;
  const base = { kind: "resource" as const, group, version };
  const [first, second, third] = rest;
  // A namespace is an object itself, and also contains others.
  if (first === "namespaces" && second !== undefined && third !== undefined && !NAMESPACE_PARTS.has(third)) {
    return { ...base, namespace: second, ...objectPart(rest.slice(2)) };
  }
  return { ...base, namespace: undefined, ...objectPart(rest) };
}

function objectPart(parts: readonly string[]): Pick<ResourceTarget, "plural" | "name" | "subresource"> {
  const [plural = "", name, ...subresource] = parts;
  // The rest of the path belongs to the proxied server.
  if (subresource[0] === "proxy") return { plural, name, subresource: "proxy" };
  return { plural, name, subresource: subresource.join("/") };
}

function safeDecode(part: string): string {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
