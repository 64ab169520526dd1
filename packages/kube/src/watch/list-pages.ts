import type { KubeObject } from "../kube-object.ts";

/** One page of a list. */
export interface ListPage<T extends KubeObject = KubeObject> {
  readonly items: T[];
  /** Of the list as a whole: where a watch goes on. */
  readonly resourceVersion: string;
  /** The list began anew with this page, since the server had forgotten its place: drop the earlier pages. */
  readonly restarted: boolean;
}

/** A whole list. */
export interface KubeList<T extends KubeObject = KubeObject> {
  readonly items: T[];
  readonly resourceVersion: string;
}
