import type { KubeObject, ResourceName } from "@kindling/kube-objects";
import { type Clock, type Random, backgroundClock, systemRandom } from "@kindling/outside";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { User } from "../authentication/user.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { ResourceTypes } from "../resources/resource-types.ts";
import type { Collection } from "../storage/collection.ts";
import type { LogLimits } from "../storage/event-log.ts";
import { Store } from "../storage/store.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** What all operations work on. A client that must see less than others has its own: see `sees`. */
export interface Api {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly types: ResourceTypes;
  readonly admission: readonly AdmissionPlugin[];
  /**
   * Whether this client sees an object: it can neither read nor change other objects. Their names are still taken. Without
   * this function a client sees everything in the store.
   */
  readonly sees?: (type: ResourceType, object: KubeObject) => boolean;
}

export interface ApiOptions {
  /** What is served from the start; `types` takes more later. */
  readonly resources: readonly ResourceType[];
  /** Rules over writes that look beyond the object itself, in order. Default: none. */
  readonly admission?: readonly AdmissionPlugin[] | ((store: Store) => readonly AdmissionPlugin[]);
  /** How much history watches can go back, per resource: 10,000 changes or 32 MiB. */
  readonly history?: Partial<LogLimits>;
  /**
   * The revision of the empty store: 1. A server that fills its store again at each start must begin with a higher one each
   * time, such as the time in microseconds: watches that continue from a revision before the restart then get all objects.
   */
  readonly firstRevision?: number;
  readonly clock?: Clock;
  readonly random?: Random;
}

const HISTORY: LogLimits = { events: 10_000, bytes: 32 * 1024 * 1024 };

/** An empty store, and the types of its objects. */
export function createApi(options: ApiOptions): Api {
  const { admission = [], clock = backgroundClock, random = systemRandom() } = options;
  const store = new Store({ ...HISTORY, ...options.history }, options.firstRevision);
  return {
    clock,
    random,
    store,
    types: new ResourceTypes(options.resources),
    admission: typeof admission === "function" ? admission(store) : admission,
  };
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

/** All objects of a resource, including those that the client does not see. */
export function collectionOf(api: Api, type: ResourceType): Collection {
  return api.store.collection(type.storageKey);
}

/** The object of a name, if there is one that the client sees. */
export function findObject(
  api: Api,
  type: ResourceType,
  namespace: string | undefined,
  name: string,
): StoredObject | undefined {
  const stored = collectionOf(api, type).get(namespace, name);
  return stored === undefined || api.sees?.(type, stored.object) === false ? undefined : stored;
}

/** The resource as error messages name it. */
export function resourceName(type: ResourceType): ResourceName {
  return { group: type.group, resource: type.plural };
}

/** An object that is about to be stored may be changed; a stored one may not. This makes a shallow copy that may be changed. */
export function editable(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata } };
}
