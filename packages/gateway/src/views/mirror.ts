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

/** An answer comes late by moments, in which no more than this can go. */
const MOST_GONE = 1_000;

/** An object that a driver has asked for. */
export interface Wanted {
  /** What the driver shall see. */
  readonly object: KubeObject;
  /** What is to be made in the cluster. */
  readonly request: KubeObject;
  readonly fingerprint: string;
  readonly user: User;
  /** What is to be made beside it, to be owned by it. */
  readonly objects?: readonly KubeObject[];
}

/** An object that its driver will ask for. */
export type Expected = Pick<Wanted, "object" | "request" | "objects">;

/**
 * The objects of one resource in an application's view: virtual ones, which only the driver sees, and those of the
 * cluster. An object that was virtual keeps its uid and its age when it becomes real. Each change of the cluster is one
 * write to the view, whether the gateway learns of it by an answer, by a watch, or by both.
 *
 * Objects that were made before their driver asked for them have entries, and are not in the view until it asks.
 */
export class Mirror {
  readonly type: ResourceType;
  readonly #api: Api;
  readonly #namespace: string;
  readonly #entries = new Map<string, Entry>();
  /** Those that their driver has not asked for yet, as they are now. */
  readonly #unasked = new Map<Entry, KubeObject>();
  /** What was given up while it was being created: it is not shown when it turns up in the cluster all the same. */
  readonly #abandoned = new Set<string>();
  /** Uids in the cluster of the objects that have gone last: what comes late about them is no news. */
  readonly #gone = new Set<string>();
  readonly #onSize: (name: string, bytes: number | undefined) => void;

  /** @param onSize told of each object that is shown with its bytes as JSON, and of each that is no longer */
  constructor(
    api: Api,
    type: ResourceType,
    namespace: string,
    onSize: (name: string, bytes: number | undefined) => void = () => undefined,
  ) {
    this.type = type;
    this.#api = api;
    this.#namespace = namespace;
    this.#onSize = onSize;
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

  /** An object as it is now, whether its driver sees it or not. */
  current(entry: Entry): KubeObject | undefined {
    return this.#unasked.get(entry) ?? this.shown(entry.name)?.object;
  }

  /** The object as the driver sees it. */
  shown(name: string): StoredObject | undefined {
    return collectionOf(this.#api, this.type).get(this.#namespace, name);
  }

  /** All objects of the view that a test holds of. */
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

  /** Takes in an object that its driver has not asked for: its metadata is complete, and it is not shown. */
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
    const { labels = {}, annotations = {} } = entry.claim ?? {};
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

  /** Shows an object of which nothing is known here: somebody else sees to it until one of its name comes or it is hidden. */
  show(object: KubeObject): void {
    if (!this.#entries.has(object.metadata.name)) collectionOf(this.#api, this.type).put(object, []);
  }

  /** Hides an object again that has no entry. */
  hide(name: string): void {
    if (!this.#entries.has(name)) collectionOf(this.#api, this.type).remove(this.#namespace, name);
  }

  /** Takes over an object as it is in the cluster; nothing happens if that is known already. */
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
    // What was shown in its place, without an entry, was another pod.
    if (known === undefined && this.shown(name) !== undefined) this.hide(name);
    this.#entries.set(name, entry);
    if (known === undefined && isEarly(object)) this.#unasked.set(entry, object);
    this.#put(entry, { ...object, metadata: { ...object.metadata, uid: entry.uid, creationTimestamp: entry.created } });
  }

  /** Learns that an object is no longer in the cluster. */
  gone(object: KubeObject): void {
    const { name, uid } = object.metadata;
    this.#abandoned.delete(givenUid(object));
    this.#remember(uid);
    const entry = this.#entries.get(name);
    if (entry?.state.kind === "real" && entry.state.uid === uid) this.remove(entry);
  }

  /** Takes an object out of the view. What is being created is given up: whoever creates it takes it away again. */
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

  /** Drops what a whole list of the cluster does not have, unless it has been made since. */
  keepOnly(isThere: (name: string) => boolean, version: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.state.kind !== "real" || isThere(entry.name) || isNewer(entry.state.version, version)) continue;
      this.remove(entry);
    }
  }

  // The entry that an object of the cluster is the real form of. Another object of the name takes the place of what was.
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

// Versions that cannot be compared are held to be new: one write too many does no harm.
function isNewer(version: string, than: string): boolean {
  return version !== than && (compareResourceVersions(version, than) ?? 1) > 0;
}
