import { isFields, type Fields } from "../fields.ts";
import { Malformed, parseJson, protocolError, type Asked } from "./malformed.ts";

/** A resource as discovery describes it. */
export interface DiscoveredResource {
  /** The path segment; the segment of a subresource contains a slash. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** `APIResourceList` of meta/v1: the resources of one version of a group. Throws a protocol error for anything else. */
export function parseResourceList(asked: Asked, text: string, apiVersion: string): readonly DiscoveredResource[] {
  try {
    const list = parseJson(text, "the answer");
    if (!isFields(list) || list["kind"] !== "APIResourceList") throw new Malformed("the answer is no APIResourceList");
    if ((list["groupVersion"] ?? apiVersion) !== apiVersion) {
      throw new Malformed(`${apiVersion} was asked for, and the answer is about another version`);
    }
    const { resources } = list;
    if (resources !== null && !Array.isArray(resources)) throw new Malformed("the answer has no resources");
    return (resources ?? []).map(parseResource);
  } catch (error) {
    throw protocolError(asked, error);
  }
}

function parseResource(resource: unknown): DiscoveredResource {
  const fault = new Malformed("an entry of the answer is not a resource");
  if (!isFields(resource)) throw fault;
  const { name, kind, namespaced = false }: Fields = resource;
  if (typeof name !== "string" || typeof kind !== "string" || typeof namespaced !== "boolean") throw fault;
  // It becomes part of paths.
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?(\/[A-Za-z0-9.-]+)?$/.test(name)) throw fault;
  return { name, kind, namespaced };
}
