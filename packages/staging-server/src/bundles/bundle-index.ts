import type { BundleFile } from "@kindling/staging-client";
import { ledger, type Charge, type Ledger } from "../ledger/ledger.ts";
import { bundleOf } from "../ledger/weights.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { Version } from "../stores/document-store.ts";
import { bundleEntries, type KnownBundles } from "./known-bundles.ts";
import type { LeftBehind } from "./namespace-blobs.ts";

/** All bundles, in memory, as of the last refresh and this server's own changes since. */
export interface BundleIndex extends KnownBundles {
  /**
   * Reads everything that was written before the call, as far as it has changed: one listing, and one read for each
   * changed bundle.
   */
  refresh(): Promise<void>;
  /** The same if other servers may have written. For requests: there may be many of them. */
  catchUp(): Promise<void>;
  /** A bundle that this server has just committed, with its entry in the ledger. */
  add(record: BundleRecord, files: readonly BundleFile[], charge: Charge): void;
  /** A bundle's record that this server has just changed. */
  changed(record: BundleRecord): void;
  /** A bundle that this server has just deleted. */
  removed(id: string): void;
}

/** @param book the ledger that gets an entry for what the bundles take */
export function bundleIndex(
  bundles: Bundles,
  book: Ledger = ledger(),
  onLeft: LeftBehind = () => undefined,
): BundleIndex {
  const entries = bundleEntries(book, onLeft);
  const versions = new Map<string, Version>();
  let addedMeanwhile = new Set<string>();
  let refreshing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function leave(id: string): void {
    versions.delete(id);
    entries.leave(id);
  }

  async function read(name: string): Promise<void> {
    const document = await bundles.records.get(name);
    if (document === undefined || document.value.state === "deleted") return;
    const { value: record, version } = document;
    // A manifest never changes.
    const files = entries.known.get(name) === undefined ? ((await bundles.manifest(name))?.files ?? []) : [];
    versions.set(name, version);
    // It may have been added while its manifest was being read.
    if (entries.change(name, record)) return;
    entries.enter(record, files, book.note(record.owner.ownerNamespace, bundleOf(record, files)));
  }

  async function refresh(): Promise<void> {
    addedMeanwhile = new Set();
    const names = await bundles.records.list();
    for (const { name, version } of names) if (versions.get(name) !== version) await read(name);
    const live = new Set([...names.map(({ name }) => name), ...addedMeanwhile]);
    for (const name of [...entries.ids()].filter((name) => !live.has(name))) leave(name);
  }

  function begin(): Promise<void> {
    next = undefined;
    refreshing = refresh();
    return refreshing;
  }

  function refreshSoon(): Promise<void> {
    // Each call gets a refresh that begins after the call: a refresh that is under way may have missed a write of the
    // caller.
    next ??= refreshing.then(begin, begin);
    return next;
  }

  return {
    ...entries.known,
    refresh: refreshSoon,
    // If no other server writes, the memory is complete.
    catchUp: () => (bundles.shared ? refreshSoon() : Promise.resolve()),
    add(record, files, charge) {
      entries.enter(record, files, charge);
      addedMeanwhile.add(record.id);
    },
    changed: (record) => void entries.change(record.id, record),
    removed(id) {
      leave(id);
      addedMeanwhile.delete(id);
    },
  };
}
