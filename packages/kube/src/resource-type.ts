import type { KubeObjectLike, ResourceAddress } from "@kindling/kube-objects";

declare const OBJECT: unique symbol;

/** A kind of object as the client asks for it: its address, and the type of its objects. */
export interface ResourceType<T extends KubeObjectLike = KubeObjectLike> extends ResourceAddress {
  /** Carries the type of the objects; never present at run time. */
  readonly [OBJECT]?: T;
}
