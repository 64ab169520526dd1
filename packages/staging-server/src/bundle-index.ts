import type { Digest } from "@kindling/staging-client";
import type { BundleRecord, Bundles } from "./metadata/bundles.ts";
import type { Version } from "./metadata/document-store.ts";

/** What a bundle holds, as far as quotas, deduplication and the cleaner need to know. */
export interface IndexedBundle {
  readonly record: BundleRecord;
  readonly blobs: ReadonlyMap<Digest, number>;
}

/** What a namespace's bundles hold together. */
export interface NamespaceFiles {
  readonly bundles: number;
  /** Bytes of the distinct blobs. */
  readonly bytes: number;
  has(digest: Digest): boolean;
}

/** All bundles, in memory, as of the last refresh and of what this server itself has done since. */
export interface BundleIndex {
  /**
   * Reads everything that was written before the call, as far as it has changed: one listing, and one read for each
   * changed bundle.
   */
  refresh(): Promise<void>;
  /** A bundle that this server has just committed. */
  add(record: BundleRecord, files: readonly { readonly digest: Digest; readonly size: number }[]): void;
  get(id: string): BundleRecord | undefined;
  /** A bundle's record that this server has just changed. */
  changed(record: BundleRecord): void;
  /** A bundle that this server has just deleted. */
  removed(id: string): void;
  all(): Iterable<IndexedBundle>;
  namespaces(): ReadonlyMap<string, NamespaceFiles>;
}

export function bundleIndex(bundles: Bundles): BundleIndex {
  const versions = new Map<string, Version>();
  const indexed = new Map<string, IndexedBundle>();
  // Bundles share most of their files: each digest is kept once.
  let digests = new Map<Digest, Digest>();
  let addedMeanwhile = new Set<string>();
  let summary: ReadonlyMap<string, NamespaceFiles> | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  function blobsOf(files: readonly { readonly digest: Digest; readonly size: number }[]): Map<Digest, number> {
    const blobs = new Map<Digest, number>();
    for (const { digest, size } of files) {
      const known = digests.get(digest) ?? digest;
      digests.set(known, known);
      blobs.set(known, size);
    }
    return blobs;
  }

  async function read(name: string): Promise<void> {
    const document = await bundles.records.get(name);
    if (document === undefined || document.value.state === "deleted") return;
    // A manifest never changes.
    const blobs = indexed.get(name)?.blobs ?? blobsOf((await bundles.manifest(name))?.files ?? []);
    versions.set(name, document.version);
    indexed.set(name, { record: document.value, blobs });
  }

  async function refresh(): Promise<void> {
    addedMeanwhile = new Set();
    const names = await bundles.records.list();
    for (const { name, version } of names) if (versions.get(name) !== version) await read(name);
    const live = new Set([...names.map(({ name }) => name), ...addedMeanwhile]);
    for (const name of [...indexed.keys()].filter((name) => !live.has(name))) {
      indexed.delete(name);
      versions.delete(name);
    }
    const inUse = [...indexed.values()].flatMap(({ blobs }) => [...blobs.keys()]);
    digests = new Map(inUse.map((digest) => [digest, digest]));
    summary = undefined;
  }

  function begin(): Promise<void> {
    next = undefined;
    refreshing = refresh();
    return refreshing;
  }

  return {
    refresh() {
      // Whoever asks gets a refresh that begins after the question: one under way may have missed what they wrote.
      next ??= refreshing.then(begin, begin);
      return next;
    },
    add(record, files) {
      indexed.set(record.id, { record, blobs: blobsOf(files) });
      addedMeanwhile.add(record.id);
      summary = undefined;
    },
    get: (id) => indexed.get(id)?.record,
    changed(record) {
      const known = indexed.get(record.id);
      if (known !== undefined) indexed.set(record.id, { ...known, record });
    },
    removed(id) {
      indexed.delete(id);
      versions.delete(id);
      addedMeanwhile.delete(id);
      summary = undefined;
    },
    all: () => indexed.values(),
    namespaces: () => (summary ??= summarise(indexed.values())),
  };
}

function summarise(bundles: Iterable<IndexedBundle>): ReadonlyMap<string, NamespaceFiles> {
  const namespaces = new Map<string, { bundles: number; bytes: number; sizes: Map<Digest, number> }>();
  for (const { record, blobs } of bundles) {
    const name = record.owner.ownerNamespace;
    const files = namespaces.get(name) ?? { bundles: 0, bytes: 0, sizes: new Map<Digest, number>() };
    namespaces.set(name, files);
    files.bundles++;
    for (const [digest, size] of blobs) {
      if (!files.sizes.has(digest)) files.bytes += size;
      files.sizes.set(digest, size);
    }
  }
  return new Map(
    [...namespaces].map(([name, { bundles, bytes, sizes }]) => [
      name,
      { bundles, bytes, has: (digest) => sizes.has(digest) },
    ]),
  );
}
