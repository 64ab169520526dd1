import type { KubeObjectLike } from "@kindling/kube";
import type { RecordIdentity } from "@kindling/controller";
import type { OwnerState } from "@kindling/staging-client";
import type { BundleOwner } from "../lifecycle/owner-watch.ts";
import type { OwnerType } from "./owner-type.ts";

/** The parts of an object that decisions need; thousands of whole pods would fill the memory. */
export interface SeenObject extends KubeObjectLike {
  readonly metadata: Pick<RecordIdentity, "uid" | "name" | "resourceVersion"> & {
    readonly labels: Record<string, string>;
  };
  readonly hasEnded: boolean;
}

export function seenObject(type: OwnerType, object: KubeObjectLike): SeenObject {
  const { uid = "", name = "", resourceVersion = "", labels = {} } = object.metadata ?? {};
  return { metadata: { uid, name, resourceVersion, labels }, hasEnded: type.hasEnded(object) };
}

/** Whether an object is one of a bundle's owners: the one that the bundle was bound to, or one with all of the labels. */
export function isOwner({ metadata }: SeenObject, { owner, uid }: BundleOwner): boolean {
  if (metadata.uid === uid) return true;
  return Object.entries(owner.ownerLabels).every(([key, value]) => metadata.labels[key] === value);
}

/** The state of an owner that has exactly these objects. */
export function stateOf(owners: readonly SeenObject[]): OwnerState {
  if (owners.some(({ hasEnded }) => !hasEnded)) return "present";
  return owners.length === 0 ? "absent" : "finished";
}
