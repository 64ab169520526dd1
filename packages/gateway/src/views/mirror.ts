import type { KubeObject } from "@kindling/kube-objects";
import {
  type Api,
  collectionOf,
  createObject,
  type ResourceType,
  type StoredObject,
  type User,
} from "@kindling/api-server";
import { compareResourceVersions } from "@kindling/kube";
import { Entry } from "./entry.ts";
import { GIVEN_UID, givenUid, isEarly, REQUEST } from "../spark/marks.ts";

/** An answer comes only moments late, and no more objects than this can go in that time. */
const MOST_GONE = 1_000;

/** An object that a driver has asked for. */
export interface Wanted {
  /** What the driver sees. */
  readonly object: KubeObject;
  /** What is to be created in the cluster. */
  readonly request: KubeObject;
  readonly fingerprint: string;
  readonly user: User;
  /** What is to be created with it and owned by it. */
  readonly objects?: readonly KubeObject[];
}

/** An object that its driver will ask for. */
export type Expected = Pick<Wanted, "object" | "request" | "objects">;

/**
 * The objects of one resource in an application's view: virtual ones, which only the driver sees, and those in the cluster. A
 * virtual object keeps its uid and its age when it becomes real. Each change in the cluster is written to the view once,
 * whether the gateway learns it from an answer, from a watch, or from both.
 *
 * Objects that were created before their driver asked for them have entries, but are not in the view until it asks.
 */
export class Mirror {
  readonly type: ResourceType;
  readonly #api: Api;
  readonly #namespace: string;
  readonly #entries = new Map<string, Entry>();
  /** Objects that the driver has not asked for yet, in their current state. */
  readonly #unasked = new Map<Entry, KubeObject>();
  /** Objects that were given up while they were being created. If they still appear in the cluster, they are not shown. */
  readonly #abandoned = new Set<string>();
  /** The cluster's uids of the last deleted objects: late answers about them are ignored. */
  readonly #gone = new Set<string>();
  readonly #onSize: (name: string, bytes: number | undefined) => void;
  readonly #shownAs: (object: KubeObject) => KubeObject;

  /**
   * @param onSize told the size as JSON, in bytes, of each shown object, and undefined when it is no longer shown
   * @param shownAs how the driver sees an object that is in the cluster
   */
  constructor(
    api: Api,
    type: ResourceType,
    namespace: string,
    onSize: (name: string, bytes: number | undefined) => void = () => undefined,
    shownAs: (object: KubeObject) => KubeObject = (object) => object,
  ) {
    this.type = type;
    this.#api = api;
    this.#namespace = namespace;
    this.#onSize = onSize;
    this.#shownAs = shownAs;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  entries(): IterableIterator<Entry> {
    return this.#entries.values();
  }

  /** Entries of objects that their driver has not asked for yet. */
  unasked(): Entry[] {
    return [...this.#unasked.keys()];
  }

  isUnasked(entry: Entry): boolean {
    return this.#unasked.has(entry);
  }

  /** The current state of an object, whether its driver sees it or not. */
  current(entry: Entry): KubeObject | undefined {
    return this.#unasked.get(entry) ?? this.shown(entry.name)?.object;
  }

  /** The object as the driver sees it. */
  shown(name: string): StoredObject | undefined {
    return collectionOf(this.#api, this.type).get(this.#namespace, name);
  }

  /** All objects of the view that match. */
  select(matches: (object: KubeObject) => boolean): StoredObject[] {
    const all = collectionOf(this.#api, this.type).list(this.#namespace);
    return [...all].filter(({ object }) => matches(object));
  }

  /**
   * Shows an object that is not in the cluster.
   *
   * @throws ApiError 409 if the name is taken, 422 if its metadata is wrong
   */
  add({ object, request, fingerprint, user, objects = [] }: Wanted): Entry {
    const context = { user, manager: "kindling-gateway", dryRun: false, subresource: "" };
    const stored = createObject(this.#api, this.type, this.#namespace, { object, managed: [] }, context);
    const { name, uid, creationTimestamp } = stored.object.metadata;
    this.#onSize(name, stored.bytes.length);
    const state = { kind: "waiting", request } as const;
    const entry = new Entry({ name, uid, created: creationTimestamp, fingerprint, state, objects });
    this.#entries.set(name, entry);
    return entry;
  }

  /** Adds an object that its driver has not asked for: its metadata is complete, and it is not shown. */
  expect({ object, request, objects = [] }: Expected): Entry {
    const { name, uid, creationTimestamp } = object.metadata;
    const state = { kind: "waiting", request } as const;
    const entry = new Entry({ name, uid, created: creationTimestamp, fingerprint: undefined, state, objects });
    this.#entries.set(name, entry);
    this.#unasked.set(entry, object);
    return entry;
  }

  /** Shows an object to its driver, which has asked for it just now. */
  asked(entry: Entry, fingerprint: string): void {
    const object = this.#unasked.get(entry);
    if (object === undefined) return;
    this.#unasked.delete(entry);
    entry.fingerprint = fingerprint;
    const { metadata } = object;
    const { labels = {}, annotations = {} } = entry.handover ?? {};
    const own = { labels: { ...metadata.labels, ...labels }, annotations: { ...metadata.annotations, ...annotations } };
    this.#put(entry, { ...object, metadata: { ...metadata, ...own } });
  }

  /** Changes what the driver sees of an object that is not in the cluster. */
  revise(entry: Entry, change: (object: KubeObject) => KubeObject): void {
    const stored = this.#entries.get(entry.name) === entry ? this.shown(entry.name) : undefined;
    if (stored === undefined) return;
    const changed = change(stored.object);
    if (changed !== stored.object) this.#put(entry, changed);
  }

  /** Shows an object without an entry: the caller is responsible for it, until an object of its name comes or it is hidden. */
  show(object: KubeObject): void {
    if (!this.#entries.has(object.metadata.name)) collectionOf(this.#api, this.type).put(object, []);
  }

  /** Hides an object that has no entry. */
  hide(name: string): void {
    if (!this.#entries.has(name)) collectionOf(this.#api, this.type).remove(this.#namespace, name);
  }

  /** Takes the state of an object in the cluster; does nothing if it is known already. */
  seen(object: KubeObject): void {
    const { name, uid, resourceVersion: version, annotations } = object.metadata;
    if (this.#abandoned.has(givenUid(object)) || this.#gone.has(uid)) return;
    const known = this.#known(object);
    if (known?.state.kind === "real" && !isNewer(version, known.state.version)) return;
    const state = { kind: "real", uid, version } as const;
    const { creationTimestamp: created } = object.metadata;
    const entry =
      known ??
      new Entry({ name, uid: givenUid(object), created, fingerprint: annotations?.[REQUEST], state, objects: [] });
    entry.seen(uid, version);
    // The pod that was shown without an entry was another one.
    if (known === undefined && this.shown(name) !== undefined) this.hide(name);
    this.#entries.set(name, entry);
    if (known === undefined && isEarly(object)) this.#unasked.set(entry, object);
    const metadata = { ...object.metadata, uid: entry.uid, creationTimestamp: entry.created };
    this.#put(entry, { ...this.#shownAs(object), metadata });
  }

  /** Learns that an object is no longer in the cluster. */
  gone(object: KubeObject): void {
    const { name, uid } = object.metadata;
    this.#abandoned.delete(givenUid(object));
    this.#remember(uid);
    const entry = this.#entries.get(name);
    if (entry?.state.kind === "real" && entry.state.uid === uid) this.remove(entry);
  }

  /** Removes an object from the view. If it is being created, it is given up: the code that creates it deletes it again. */
  remove(entry: Entry): void {
    const isMidway = entry.state.kind === "creating";
    if (isMidway) this.#abandoned.add(entry.uid);
    if (entry.state.kind === "real") this.#remember(entry.state.uid);
    entry.remove();
    const wasUnasked = this.#unasked.delete(entry);
    if (this.#entries.get(entry.name) !== entry) return;
    this.#entries.delete(entry.name);
    if (wasUnasked) return;
    collectionOf(this.#api, this.type).remove(this.#namespace, entry.name);
    this.#onSize(entry.name, undefined);
  }

  /** Drops objects that a complete list of the cluster does not have, unless they were created after it. */
  keepOnly(isThere: (name: string) => boolean, version: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.state.kind !== "real" || isThere(entry.name) || isNewer(entry.state.version, version)) continue;
      this.remove(entry);
    }
  }

  // The entry of an object in the cluster. Another object with the name takes the place of the old one.
  #known(object: KubeObject): Entry | undefined {
    const { name, uid, annotations } = object.metadata;
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const isSame = entry.state.kind === "real" ? entry.state.uid === uid : annotations?.[GIVEN_UID] === entry.uid;
    if (isSame) return entry;
    this.remove(entry);
    return undefined;
  }

  #remember(uid: string): void {
    this.#gone.add(uid);
    const [oldest] = this.#gone;
    if (this.#gone.size > MOST_GONE && oldest !== undefined) this.#gone.delete(oldest);
  }

  #put(entry: Entry, object: KubeObject): void {
    if (this.#unasked.has(entry)) this.#unasked.set(entry, object);
    else this.#onSize(entry.name, collectionOf(this.#api, this.type).put(object, []).bytes.length);
  }
}

// Versions that cannot be compared are taken as new: one extra write does no harm.
function isNewer(version: string, than: string): boolean {
  return version !== than && (compareResourceVersions(version, than) ?? 1) > 0;
}
