import type { KubeObject } from "@kindling/kube";

/** An object with its status, as it is written. */
export interface WithStatus extends KubeObject {
  readonly status: unknown;
}
