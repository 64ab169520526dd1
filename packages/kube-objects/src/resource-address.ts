/** How the API server addresses a kind of object: the names in paths, and the names in the objects. */
export interface ResourceAddress {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The path segment: plural, lower case. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A resource as messages and the details of a Status name it. */
export interface ResourceName {
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
}

/** `v1`, `apps/v1`: the `apiVersion` of a resource's objects. */
export function apiVersionOf({ group, version }: Pick<ResourceAddress, "group" | "version">): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The name of a resource with its group: `pods`, `deployments.apps`. */
export function qualifiedResource({ group, resource }: ResourceName): string {
  return group === "" ? resource : `${resource}.${group}`;
}
