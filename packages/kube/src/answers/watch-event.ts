import type { KubeObjectLike } from "@kindling/kube-objects";

/** One event of a watch; each has the resource version from which a later watch can continue. */
export type WatchEvent<T = KubeObjectLike> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T; readonly resourceVersion: string }
  /** Nothing happened up to this resource version. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };
