import type { BundleFile, BundleState, Digest, StagedResourcesOwner } from "@kindling/staging-client";
import { documentCollection, type Collection } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";
import { weightedCache } from "./weighted-cache.ts";

/** What a server keeps of a bundle, besides its files. Times are service seconds. */
export interface BundleRecord {
  readonly id: string;
  readonly wire: "v0" | "v1";
  readonly owner: StagedResourcesOwner;
  /** Uid of the very object that the bundle was bound to. */
  readonly ownerUid?: string;
  readonly createdBy: string;
  /** SHA-256 of the secret, hexadecimal: the secret itself is told once and kept nowhere. */
  readonly secretHash: string;
  readonly manifestDigest: Digest;
  readonly files: number;
  readonly bytes: number;
  /** `deleted` stands for a moment before the record itself goes: nobody changes it any more. */
  readonly state: BundleState | "deleted";
  /** When it came into this state. */
  readonly since: number;
  readonly createdAt: number;
  /** For people, RFC 3339; nothing is decided by it. */
  readonly createdTime: string;
  /** How long it may wait for its first use. */
  readonly unusedSeconds: number;
}

export interface ManifestRecord {
  readonly files: readonly BundleFile[];
}

export interface Bundles {
  readonly records: Collection<BundleRecord>;
  /** Whether other servers may write, too. */
  readonly shared: boolean;
  manifest(id: string): Promise<ManifestRecord | undefined>;
  /** Commits: the manifest first, then the record that makes it a bundle. */
  create(record: BundleRecord, manifest: ManifestRecord): Promise<void>;
  /** Deletes a bundle if it is still as somebody found it; `false` if it has changed since. */
  deleteIf(id: string, holds: (record: BundleRecord) => boolean): Promise<boolean>;
  /** Manifests whose commit did not come to an end. */
  strayManifests(): Promise<readonly string[]>;
  deleteManifest(id: string): Promise<void>;
}

const CACHE_BYTES = 16 * 1024 * 1024;

/** @param cacheBytes how much memory manifests may take that have been asked for lately */
export function bundleStore(documents: DocumentStore, cacheBytes: number = CACHE_BYTES): Bundles {
  const records = documentCollection<BundleRecord>(documents, "bundles");
  const manifests = documentCollection<ManifestRecord>(documents, "manifests");
  // A thousand executors ask for the same files; a manifest never changes.
  const cache = weightedCache<ManifestRecord>(cacheBytes);
  // Of those who ask for the same one at the same time, one reads it.
  const reading = new Map<string, Promise<ManifestRecord | undefined>>();

  async function read(id: string): Promise<ManifestRecord | undefined> {
    const manifest = (await manifests.get(id))?.value;
    if (manifest !== undefined) cache.set(id, manifest, weightOf(manifest));
    return manifest;
  }

  return {
    records,
    shared: documents.shared,
    async manifest(id) {
      const known = cache.get(id);
      if (known !== undefined) return known;
      const underWay = reading.get(id) ?? read(id).finally(() => reading.delete(id));
      reading.set(id, underWay);
      return await underWay;
    },
    async create(record, manifest) {
      await manifests.create(record.id, manifest);
      await records.create(record.id, record);
    },
    async deleteIf(id, holds) {
      const marked = await records.update(id, (record) =>
        record.state !== "deleted" && holds(record) ? { ...record, state: "deleted" } : undefined,
      );
      if (marked?.value.state !== "deleted") return false;
      // The record goes last: as long as it is there, a server that stopped in between finds what is left to do.
      await manifests.delete(id);
      await records.delete(id);
      cache.delete(id);
      return true;
    },
    async strayManifests() {
      const committed = new Set((await records.list()).map(({ name }) => name));
      return (await manifests.list()).map(({ name }) => name).filter((name) => !committed.has(name));
    },
    deleteManifest: (id) => manifests.delete(id),
  };
}

/** Of a manifest in memory, in bytes: names may have characters of two bytes. */
function weightOf({ files }: ManifestRecord): number {
  return files.reduce((sum, { name, kind }) => sum + 400 + 2 * (name.length + kind.length), 256);
}
