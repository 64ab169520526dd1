import type { BundleFile, Digest } from "@kindling/staging-client";
import type { Charge, Ledger } from "../ledger/ledger.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import { NamespaceBundles, type LeftBehind, type NamespaceBlob, type NamespaceFiles } from "./namespace-blobs.ts";
import { sortedIds } from "./sorted-ids.ts";

/** What a bundle holds, as far as the cleaner and listings need to know. */
export interface IndexedBundle {
  readonly record: BundleRecord;
}

/** Bundles in memory, by their ids, and by the namespaces of their owners. */
export interface KnownBundles {
  get(id: string): BundleRecord | undefined;
  all(): Iterable<IndexedBundle>;
  /** Bundles after an id, in the order of their ids. */
  after(id: string, namespace?: string): Iterable<BundleRecord>;
  /** Every blob that a bundle has; blobs of several namespaces appear more than once. */
  digests(): Iterable<Digest>;
  namespaces(): ReadonlyMap<string, NamespaceFiles>;
}

/** For the code that finds out which bundles exist. */
export interface BundleEntries {
  readonly known: KnownBundles;
  enter(record: BundleRecord, files: readonly BundleFile[], charge: Charge): void;
  /** Replaces the record of a known bundle; `false` if the bundle is not known. */
  change(id: string, record: BundleRecord): boolean;
  leave(id: string): void;
  ids(): Iterable<string>;
}

interface Entry extends IndexedBundle {
  readonly blobs: readonly NamespaceBlob[];
  readonly charge: Charge;
}

export function bundleEntries(book: Ledger, onLeft: LeftBehind): BundleEntries {
  const indexed = new Map<string, Entry>();
  const ids = sortedIds();
  const namespaces = new Map<string, NamespaceBundles>();
  return {
    enter(record, files, charge) {
      const namespace = record.owner.ownerNamespace;
      const mine = namespaces.get(namespace) ?? new NamespaceBundles(namespace, book, onLeft);
      namespaces.set(namespace, mine);
      indexed.set(record.id, { record, blobs: mine.add(record.id, files), charge });
      ids.add(record.id);
    },
    change(id, record) {
      const known = indexed.get(id);
      if (known !== undefined) indexed.set(id, { ...known, record });
      return known !== undefined;
    },
    leave(id) {
      const entry = indexed.get(id);
      if (entry === undefined) return;
      indexed.delete(id);
      ids.delete(id);
      entry.charge.release();
      const namespace = entry.record.owner.ownerNamespace;
      const mine = namespaces.get(namespace);
      mine?.remove(id, entry.blobs);
      if (mine?.bundles === 0) namespaces.delete(namespace);
    },
    ids: () => indexed.keys(),
    known: {
      get: (id) => indexed.get(id)?.record,
      all: () => indexed.values(),
      *after(id, namespace) {
        const sorted = namespace === undefined ? ids : namespaces.get(namespace)?.ids;
        for (const each of sorted?.after(id) ?? []) {
          const record = indexed.get(each)?.record;
          if (record !== undefined) yield record;
        }
      },
      *digests() {
        for (const mine of namespaces.values()) yield* mine.digests();
      },
      namespaces: () => namespaces,
    },
  };
}
