import type { ResourceType } from "../resource-type.ts";

/** Which object or collection a request is about. */
export interface Address {
  /** Absent: cluster-scoped, or all namespaces. */
  readonly namespace?: string | undefined;
  /** Absent: the collection. */
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

type QueryValue = string | number | boolean | undefined;

/** `/api/v1/namespaces/<ns>/pods/<name>`; `/apis/<group>/<version>/...` for all groups except the core group. */
export function resourcePath(type: ResourceType, address: Address): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope =
    type.namespaced && address.namespace !== undefined ? `/namespaces/${encodeURIComponent(address.namespace)}` : "";
  const object = address.name === undefined ? "" : `/${encodeURIComponent(address.name)}`;
  const part = address.subresource === undefined ? "" : `/${address.subresource}`;
  return `${root}${scope}/${type.plural}${object}${part}`;
}

/** Appends a query in the given order, leaving out what is undefined. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  let result = path;
  let separator = "?";
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    result += `${separator}${name}=${encodeURIComponent(value)}`;
    separator = "&";
  }
  return result;
}
