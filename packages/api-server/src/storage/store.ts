import { Collection, type Revisions } from "./collection.ts";
import type { LogLimits, StoreEvent } from "./event-log.ts";

/** Told of every write, for all resources. */
export type WriteListener = (resource: string, event: StoreEvent) => void;

/** All objects of the cluster, in memory. */
export class Store {
  readonly #limits: LogLimits;
  readonly #collections = new Map<string, Collection>();
  readonly #revisions: Revisions;
  readonly #listeners = new Set<WriteListener>();
  /** Revisions at which collections were dropped: earlier history is forgotten. */
  readonly #dropped = new Map<string, number>();
  #revision: number;

  /** `firstRevision` is the revision of the empty store; the first write has the next one. */
  constructor(limits: LogLimits, firstRevision: number = 1) {
    this.#limits = limits;
    this.#revision = firstRevision;
    this.#revisions = { next: () => (this.#revision += 1) };
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The collection of a resource, such as `pods` or `roles.rbac.authorization.k8s.io`. */
  collection(resource: string): Collection {
    const existing = this.#collections.get(resource);
    if (existing !== undefined) return existing;
    const since = this.#dropped.get(resource) ?? 0;
    const collection = new Collection(this.#revisions, this.#limits, since, (event) => {
      for (const listener of this.#listeners) listener(resource, event);
    });
    this.#collections.set(resource, collection);
    return collection;
  }

  /** All collections by resource. */
  collections(): ReadonlyMap<string, Collection> {
    return this.#collections;
  }

  /** Calls the listener after every write. Returns a function that stops this. */
  subscribe(listener: WriteListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets a resource with all its objects and history. */
  dropCollection(resource: string): void {
    this.#collections.delete(resource);
    this.#dropped.set(resource, this.#revision);
  }

  /** Forgets the history that was there at the last call, see `EventLog.age`. Returns whether some is left. */
  age(): boolean {
    let isLeft = false;
    for (const { log } of this.#collections.values()) {
      log.age();
      isLeft ||= !log.isEmpty;
    }
    return isLeft;
  }

  /** Forgets the history of all collections, as a compaction of etcd does. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.log.compact(this.#revision);
  }
}
