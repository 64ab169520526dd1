import type { KubeObjectLike } from "@kindling/kube";

/** An object with its status, as it is written. */
export interface WithStatus extends KubeObjectLike {
  readonly status: unknown;
}
