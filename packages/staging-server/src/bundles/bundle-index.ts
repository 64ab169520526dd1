import type { BundleFile } from "@kindling/staging-client";
import { ledger, type Charge, type Ledger } from "../ledger/ledger.ts";
import { bundleOf } from "../ledger/weights.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { Version } from "../stores/document-store.ts";
import { bundleEntries, type KnownBundles } from "./known-bundles.ts";
import type { LeftBehind } from "./namespace-blobs.ts";

/** All bundles, in memory, as of the last refresh and of what this server itself has done since. */
export interface BundleIndex extends KnownBundles {
  /**
   * Reads everything that was written before the call, as far as it has changed: one listing, and one read for each
   * changed bundle.
   */
  refresh(): Promise<void>;
  /** The same where other servers may have written; for requests, of which there may be many. */
  catchUp(): Promise<void>;
  /** A bundle that this server has just committed, with what was entered into the ledger for it. */
  add(record: BundleRecord, files: readonly BundleFile[], charge: Charge): void;
  /** A bundle's record that this server has just changed. */
  changed(record: BundleRecord): void;
  /** A bundle that this server has just deleted. */
  removed(id: string): void;
}

/** @param book entered into what the bundles take */
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
    // Whoever asks gets a refresh that begins after the question: one under way may have missed what they wrote.
    next ??= refreshing.then(begin, begin);
    return next;
  }

  return {
    ...entries.known,
    refresh: refreshSoon,
    // Where nobody else writes, what is in memory is all there is.
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
