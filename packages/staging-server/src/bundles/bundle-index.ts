import type { BundleFile, Digest } from "@kindling/staging-client";
import { ledger, type Charge, type Ledger } from "../ledger/ledger.ts";
import { bundleOf } from "../ledger/weights.ts";
import type { BundleRecord, Bundles } from "../metadata/bundles.ts";
import type { Version } from "../stores/document-store.ts";
import { NamespaceBundles, type LeftBehind, type NamespaceBlob, type NamespaceFiles } from "./namespace-blobs.ts";
import { sortedIds } from "./sorted-ids.ts";

/** What a bundle holds, as far as the cleaner and listings need to know. */
export interface IndexedBundle {
  readonly record: BundleRecord;
}

/** All bundles, in memory, as of the last refresh and of what this server itself has done since. */
export interface BundleIndex {
  /**
   * Reads everything that was written before the call, as far as it has changed: one listing, and one read for each
   * changed bundle.
   */
  refresh(): Promise<void>;
  /** The same where other servers may have written; for requests, of which there may be many. */
  catchUp(): Promise<void>;
  /** A bundle that this server has just committed, with what was entered into the ledger for it. */
  add(record: BundleRecord, files: readonly BundleFile[], charge: Charge): void;
  get(id: string): BundleRecord | undefined;
  /** A bundle's record that this server has just changed. */
  changed(record: BundleRecord): void;
  /** A bundle that this server has just deleted. */
  removed(id: string): void;
  all(): Iterable<IndexedBundle>;
  /** Bundles behind an id, in the order of their ids. */
  after(id: string, namespace?: string): Iterable<BundleRecord>;
  /** Every blob that a bundle has; those of several namespaces more than once. */
  digests(): Iterable<Digest>;
  namespaces(): ReadonlyMap<string, NamespaceFiles>;
}

interface Entry extends IndexedBundle {
  readonly blobs: readonly NamespaceBlob[];
  readonly charge: Charge;
}

/** @param book entered into what the bundles take */
export function bundleIndex(
  bundles: Bundles,
  book: Ledger = ledger(),
  onLeft: LeftBehind = () => undefined,
): BundleIndex {
  const versions = new Map<string, Version>();
  const indexed = new Map<string, Entry>();
  const ids = sortedIds();
  const namespaces = new Map<string, NamespaceBundles>();
  let addedMeanwhile = new Set<string>();
  let refreshing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function enter(record: BundleRecord, files: readonly BundleFile[], charge: Charge): void {
    const namespace = record.owner.ownerNamespace;
    const mine = namespaces.get(namespace) ?? new NamespaceBundles(namespace, book, onLeft);
    namespaces.set(namespace, mine);
    indexed.set(record.id, { record, blobs: mine.add(record.id, files), charge });
    ids.add(record.id);
  }

  function leave(id: string): void {
    versions.delete(id);
    const entry = indexed.get(id);
    if (entry === undefined) return;
    indexed.delete(id);
    ids.delete(id);
    entry.charge.release();
    const namespace = entry.record.owner.ownerNamespace;
    const mine = namespaces.get(namespace);
    mine?.remove(id, entry.blobs);
    if (mine?.bundles === 0) namespaces.delete(namespace);
  }

  async function read(name: string): Promise<void> {
    const document = await bundles.records.get(name);
    if (document === undefined || document.value.state === "deleted") return;
    const { value: record, version } = document;
    const known = indexed.get(name);
    // A manifest never changes.
    const files = known === undefined ? ((await bundles.manifest(name))?.files ?? []) : [];
    versions.set(name, version);
    // It may have been added while its manifest was being read.
    const now = indexed.get(name);
    if (now !== undefined) indexed.set(name, { ...now, record });
    else enter(record, files, book.note(record.owner.ownerNamespace, bundleOf(record, files)));
  }

  async function refresh(): Promise<void> {
    addedMeanwhile = new Set();
    const names = await bundles.records.list();
    for (const { name, version } of names) if (versions.get(name) !== version) await read(name);
    const live = new Set([...names.map(({ name }) => name), ...addedMeanwhile]);
    for (const name of [...indexed.keys()].filter((name) => !live.has(name))) leave(name);
  }

  function begin(): Promise<void> {
    next = undefined;
    refreshing = refresh();
    return refreshing;
  }

  function refreshSoon(): Promise<void> {
    // Whoever asks gets a refresh that begins after the question: one under way may have missed what they wrote.
    next ??= refreshing.then(begin, begin);
    return next;
  }

  return {
    refresh: refreshSoon,
    // Where nobody else writes, what is in memory is all there is.
    catchUp: () => (bundles.shared ? refreshSoon() : Promise.resolve()),
    add(record, files, charge) {
      enter(record, files, charge);
      addedMeanwhile.add(record.id);
    },
    get: (id) => indexed.get(id)?.record,
    changed(record) {
      const known = indexed.get(record.id);
      if (known !== undefined) indexed.set(record.id, { ...known, record });
    },
    removed(id) {
      leave(id);
      addedMeanwhile.delete(id);
    },
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
  };
}
