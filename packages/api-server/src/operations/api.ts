import type { Clock } from "../clock.ts";
import type { KubeObject } from "../objects/object.ts";
import type { Random } from "../random.ts";
import type { User } from "../auth/user.ts";
import type { AdmissionPlugin } from "./admission/admission.ts";
import type { ResourceTypes } from "./resource-types.ts";
import type { ResourceType } from "./resources/resource-type.ts";
import type { Collection } from "./storage/collection.ts";
import type { Store } from "./storage/store.ts";
import type { ResourceName } from "./status/status.ts";

/** What all operations work on. */
export interface Api {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly types: ResourceTypes;
  readonly admission: readonly AdmissionPlugin[];
}

/** Who writes, and how. */
export interface WriteContext {
  readonly user: User;
  /** The field manager. */
  readonly manager: string;
  readonly dryRun: boolean;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** The objects of a resource. */
export function collectionOf(api: Api, type: ResourceType): Collection {
  return api.store.collection(type.storageKey);
}

/** The resource as error messages name it. */
export function resourceName(type: ResourceType): ResourceName {
  return { group: type.group, resource: type.plural };
}

/** An object that is about to be stored may be changed; a stored one may not. This makes a changeable copy of its top. */
export function editable(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata } };
}
