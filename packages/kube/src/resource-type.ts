import type { KubeObject } from "./kube-object.ts";

declare const OBJECT: unique symbol;

/** How the API server names a kind of object: in paths and in the objects. */
export interface ResourceType<T extends KubeObject = KubeObject> {
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The path segment: plural, lower case. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Carries the type of the objects; never present at run time. */
  readonly [OBJECT]?: T;
}

/** `v1`, `apps/v1`: the `apiVersion` of objects of a type. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === "" ? type.version : `${type.group}/${type.version}`;
}
