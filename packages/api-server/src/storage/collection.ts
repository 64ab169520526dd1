import { type KubeObject, type ObjectMeta, objectKey } from "@kindling/kube-objects";
import { EventLog, type EventType, type LogLimits, type StoreEvent } from "./event-log.ts";
import { SortedKeys } from "./sorted-keys.ts";
import { type ManagedFields, StoredObject } from "./stored-object.ts";
import { TextPool } from "./text-pool.ts";

/** Returns new revisions; one counter for all collections, as in etcd. */
export interface Revisions {
  next(): number;
}

/** All objects of one resource, with the log of their changes. */
export class Collection {
  readonly log: EventLog;
  readonly #revisions: Revisions;
  readonly #objects = new Map<string, StoredObject>();
  readonly #keys = new SortedKeys();
  readonly #listeners = new Set<() => void>();
  readonly #ownedFields = new TextPool(200);
  readonly #onWrite: (event: StoreEvent) => void;

  /** `since` is the revision at which the collection's known history begins. */
  constructor(revisions: Revisions, limits: LogLimits, since: number, onWrite: (event: StoreEvent) => void) {
    this.#revisions = revisions;
    this.#onWrite = onWrite;
    this.log = new EventLog(limits, since);
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string | undefined, name: string): StoredObject | undefined {
    return this.getByKey(objectKey(namespace, name));
  }

  /** The object of a key from `objectKey`. */
  getByKey(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** The objects of a namespace, or all, in the order of their keys, from the key `start` on. */
  *list(namespace?: string, start?: string): Generator<StoredObject> {
    for (const key of this.#keys.withPrefix(prefixOf(namespace), start)) {
      const stored = this.#objects.get(key);
      if (stored !== undefined) yield stored;
    }
  }

  /** Writes an object that is new or replaces the one of the same key. */
  put(object: KubeObject, managed: readonly ManagedFields[]): StoredObject {
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const revision = this.#revisions.next();
    const metadata = inOrder({ ...object.metadata, resourceVersion: String(revision) });
    const owners = managed.map((entry) => ({ ...entry, fields: this.#ownedFields.share(entry.fields) }));
    const stored = new StoredObject({ ...object, metadata }, owners, revision);
    const previous = this.#objects.get(key);
    this.#objects.set(key, stored);
    if (previous === undefined) this.#keys.add(key);
    this.#append(previous === undefined ? "ADDED" : "MODIFIED", stored, previous);
    return stored;
  }

  /** Removes an object and returns its last state; `undefined` if it is not there. */
  remove(namespace: string | undefined, name: string): StoredObject | undefined {
    const key = objectKey(namespace, name);
    const previous = this.#objects.get(key);
    if (previous === undefined) return undefined;
    this.#objects.delete(key);
    this.#keys.delete(key);
    const last = previous.withRevision(this.#revisions.next());
    this.#append("DELETED", last, previous);
    return last;
  }

  /** The objects as they were at a revision, in order; `undefined` if that is no longer known. */
  listAt(revision: number, namespace?: string): StoredObject[] | undefined {
    const first = this.log.positionAfter(revision);
    if (first === undefined) return undefined;
    if (first === this.log.end) return [...this.list(namespace)];
    const objects = new Map(this.#objects);
    for (let position = this.log.end - 1; position >= first; position -= 1) {
      const event = this.log.at(position);
      if (event === undefined) return undefined;
      const { namespace: itsNamespace, name } = event.object.object.metadata;
      const key = objectKey(itsNamespace, name);
      if (event.previous === undefined) objects.delete(key);
      else objects.set(key, event.previous);
    }
    const prefix = prefixOf(namespace);
    return [...objects.entries()]
      .filter(([key]) => key.startsWith(prefix))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, stored]) => stored);
  }

  /** Calls the listener after each write, before the writer continues. Returns a function that stops this. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #append(type: EventType, object: StoredObject, previous: StoredObject | undefined): void {
    const event = { type, revision: object.revision, object, previous };
    this.log.append(event);
    for (const listener of this.#listeners) listener();
    this.#onWrite(event);
  }
}

function prefixOf(namespace: string | undefined): string {
  return namespace === undefined ? "" : `${namespace}/`;
}

// The usual order of metadata.
const META_ORDER = [
  "name",
  "generateName",
  "namespace",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

function inOrder(metadata: ObjectMeta): ObjectMeta {
  const ordered: Partial<ObjectMeta> = {};
  for (const field of META_ORDER)
    if (metadata[field] !== undefined) Object.assign(ordered, { [field]: metadata[field] });
  return Object.assign(ordered, metadata);
}
