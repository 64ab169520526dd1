import type { KubeObject, OwnerReference } from "@kindling/kube-objects";
import { FOREGROUND, ORPHAN, type ResourceType, type StoreEvent } from "@kindling/api-server";
import { QueueController } from "./queue-controller.ts";

/** The place of an object. */
interface Location {
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Events own nothing and are owned by nothing: they are kept only for a while. */
const IGNORED = new Set(["events"]);

/**
 * Deletes the dependents of owners that are gone, and implements the two ways to delete an owner: after its dependents
 * (foreground), or without deleting them (orphan).
 */
export class GarbageCollector extends QueueController {
  readonly #locations = new Map<string, Location>();
  /** Uids of dependents by the uid of their owner. */
  readonly #dependents = new Map<string, Set<string>>();

  override start(): void {
    const { store } = this.context.api;
    this.onStop(store.subscribe((resource, event) => this.#observe(resource, event)));
    for (const [resource, collection] of store.collections()) {
      for (const { object } of collection.list()) this.#remember(resource, object);
    }
  }

  #observe(resource: string, { type, object: { object }, previous }: StoreEvent): void {
    if (IGNORED.has(resource)) return;
    const { uid, ownerReferences } = object.metadata;
    if (previous !== undefined && previous.object.metadata.ownerReferences !== ownerReferences) {
      for (const owner of previous.object.metadata.ownerReferences ?? []) this.#forget(owner.uid, uid);
    }
    if (type !== "DELETED") {
      this.#remember(resource, object);
      return;
    }
    this.#locations.delete(uid);
    for (const owner of ownerReferences ?? []) {
      this.#forget(owner.uid, uid);
      // An owner may wait for this object's deletion.
      this.queue.add(owner.uid);
    }
    for (const dependent of this.#dependents.get(uid) ?? []) this.queue.add(dependent);
  }

  #remember(resource: string, object: KubeObject): void {
    const { uid, namespace, name, ownerReferences, deletionTimestamp } = object.metadata;
    this.#locations.set(uid, { resource, namespace, name });
    for (const owner of ownerReferences ?? []) {
      const known = this.#dependents.get(owner.uid);
      if (known === undefined) this.#dependents.set(owner.uid, new Set([uid]));
      else known.add(uid);
    }
    if (ownerReferences !== undefined || deletionTimestamp !== undefined) this.queue.add(uid);
  }

  #forget(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner);
    known?.delete(dependent);
    if (known?.size === 0) this.#dependents.delete(owner);
  }

  protected override sync(uid: string): void {
    const found = this.#find(uid);
    if (found === undefined) return;
    const { type, object } = found;
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = object.metadata;
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(ORPHAN)) this.#orphan(type, object);
      else if (finalizers.includes(FOREGROUND)) this.#deleteDependents(type, object);
      return;
    }
    if (ownerReferences.length === 0) return;
    const solid = ownerReferences.filter((owner) => this.#exists(owner, object.metadata.namespace));
    if (solid.length === 0)
      this.writer.delete(type, object.metadata, { preconditions: { uid }, propagationPolicy: "Background" });
    else if (solid.length < ownerReferences.length) this.#setOwners(type, object, solid);
  }

  // Owners of kinds that are not served here are assumed to exist; owners in other namespaces do not count.
  #exists(owner: OwnerReference, namespace: string | undefined): boolean {
    const location = this.#locations.get(owner.uid);
    if (location !== undefined) return location.namespace === undefined || location.namespace === namespace;
    return this.context.api.types.ofKind(owner.apiVersion, owner.kind) === undefined;
  }

  #find(uid: string): { type: ResourceType; object: KubeObject } | undefined {
    const location = this.#locations.get(uid);
    if (location === undefined) return undefined;
    const { resource, namespace, name } = location;
    const object = this.context.api.store.collection(resource).get(namespace, name)?.object;
    const type = this.context.api.types.all().find(({ storageKey }) => storageKey === resource);
    return object === undefined || type === undefined || object.metadata.uid !== uid ? undefined : { type, object };
  }

  #orphan(type: ResourceType, owner: KubeObject): void {
    for (const { type: itsType, object } of this.#dependentsOf(owner)) {
      this.#setOwners(
        itsType,
        object,
        (object.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid),
      );
    }
    this.#removeFinalizer(type, owner, ORPHAN);
  }

  // The owner stays until the dependents with blockOwnerDeletion are gone.
  #deleteDependents(type: ResourceType, owner: KubeObject): void {
    const dependents = this.#dependentsOf(owner);
    for (const { type: itsType, object } of dependents) {
      if (object.metadata.deletionTimestamp !== undefined) continue;
      const others = (object.metadata.ownerReferences ?? []).some(
        ({ uid }) => uid !== owner.metadata.uid && this.#locations.has(uid),
      );
      if (!others) this.writer.delete(itsType, object.metadata, { propagationPolicy: "Foreground" });
    }
    const blocking = this.#dependentsOf(owner).some(({ object }) =>
      object.metadata.ownerReferences?.some((one) => one.uid === owner.metadata.uid && one.blockOwnerDeletion === true),
    );
    if (!blocking) this.#removeFinalizer(type, owner, FOREGROUND);
  }

  #dependentsOf({ metadata }: KubeObject): { type: ResourceType; object: KubeObject }[] {
    return [...(this.#dependents.get(metadata.uid) ?? [])].flatMap((uid) => this.#find(uid) ?? []);
  }

  #setOwners(type: ResourceType, object: KubeObject, owners: OwnerReference[]): void {
    this.writer.update(type, object.metadata, (current) => {
      const { ownerReferences: _, ...metadata } = current.metadata;
      return { ...current, metadata: owners.length === 0 ? metadata : { ...metadata, ownerReferences: owners } };
    });
  }

  #removeFinalizer(type: ResourceType, object: KubeObject, finalizer: string): void {
    this.writer.update(type, object.metadata, (current) => {
      const { finalizers = [], ...metadata } = current.metadata;
      const left = finalizers.filter((one) => one !== finalizer);
      return { ...current, metadata: left.length === 0 ? metadata : { ...metadata, finalizers: left } };
    });
  }
}
