import { parseDigest, type BundleFile, type BundleState, type Digest } from "@kindling/staging-client";
import type { StagedResourcesOwner } from "@kindling/staging-client";
import { StoreError } from "../errors/store-error.ts";
import { weightedCache } from "../memory/weighted-cache.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection, type Collection } from "./document.ts";
import { isListOf, isMapOf, isNumber, isOneOf, isOptional, isRecord, isText, type Shape } from "./shape.ts";

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
  /** Deletes a bundle if it is still as somebody found it; `false` if it has changed since. For good, when it resolves. */
  deleteIf(id: string, holds: (record: BundleRecord) => boolean): Promise<boolean>;
  /** Finishes deletions that a server began and did not come to end, of the records that were read so far. */
  finishDeletions(): Promise<void>;
  /** Manifests whose commit did not come to an end. */
  strayManifests(): Promise<readonly string[]>;
  deleteManifest(id: string): Promise<void>;
  /**
   * The files of bundles whose record or manifest is damaged, as far as what is left of them tells: they stay for as long
   * as that does, so that an administrator can mend the documents.
   */
  filesOfDamaged(): Promise<ReadonlySet<Digest>>;
}

const CACHE_BYTES = 16 * 1024 * 1024;

const isDigest: Shape<Digest> = (value): value is Digest => isText(value) && parseDigest(value) !== undefined;

const isBundleRecord: Shape<BundleRecord> = isRecord<BundleRecord>({
  id: isText,
  wire: isOneOf("v0", "v1"),
  owner: isRecord<StagedResourcesOwner>({ ownerNamespace: isText, ownerLabels: isMapOf(isText), ownerType: isText }),
  ownerUid: isOptional(isText),
  createdBy: isText,
  secretHash: (value): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value),
  manifestDigest: isDigest,
  files: isNumber,
  bytes: isNumber,
  state: isOneOf("unused", "used", "orphan", "deleted"),
  since: isNumber,
  createdAt: isNumber,
  createdTime: isText,
  unusedSeconds: isNumber,
});

const isManifestRecord: Shape<ManifestRecord> = isRecord<ManifestRecord>({
  files: isListOf(
    isRecord<BundleFile>({ name: isText, kind: isText, digest: isDigest, size: isNumber, mode: isNumber }),
  ),
});

/** @param cacheBytes how much memory manifests may take that have been asked for lately */
export function bundleStore(documents: DocumentStore, cacheBytes: number = CACHE_BYTES): Bundles {
  const stored = documentCollection(documents, "bundles", isBundleRecord);
  const manifests = documentCollection(documents, "manifests", isManifestRecord);
  // A thousand executors ask for the same files; a manifest never changes.
  const cache = weightedCache<ManifestRecord>(cacheBytes);
  // Of those who ask for the same one at the same time, one reads it.
  const reading = new Map<string, Promise<ManifestRecord | undefined>>();
  const halfDeleted = new Set<string>();

  const records: Collection<BundleRecord> = {
    ...stored,
    async get(id) {
      const found = await stored.get(id);
      if (found?.value.state === "deleted") halfDeleted.add(id);
      return found;
    },
  };

  async function read(id: string): Promise<ManifestRecord | undefined> {
    const found = (await manifests.get(id))?.value;
    if (found !== undefined) cache.set(id, found, weightOf(found));
    return found;
  }

  async function manifest(id: string): Promise<ManifestRecord | undefined> {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const underWay = reading.get(id) ?? read(id).finally(() => reading.delete(id));
    reading.set(id, underWay);
    return await underWay;
  }

  /** Where a version can be deleted by itself. */
  async function deleteRecord(id: string, holds: (record: BundleRecord) => boolean): Promise<boolean> {
    for (;;) {
      const found = await stored.get(id);
      if (found === undefined || found.value.state === "deleted" || !holds(found.value)) return false;
      try {
        await documents.deleteVersion?.("bundles", id, found.version);
        return true;
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind !== "conflict") throw error;
      }
    }
  }

  async function markDeleted(id: string, holds: (record: BundleRecord) => boolean): Promise<boolean> {
    let mine = false;
    await stored.update(id, (record) => {
      mine = record.state !== "deleted" && holds(record);
      return mine ? { ...record, state: "deleted" } : undefined;
    });
    return mine;
  }

  return {
    records,
    shared: documents.shared,
    manifest,
    async create(record, manifest) {
      await manifests.create(record.id, manifest);
      await stored.create(record.id, record);
    },
    async deleteIf(id, holds) {
      const alone = documents.deleteVersion !== undefined;
      if (!(await (alone ? deleteRecord(id, holds) : markDeleted(id, holds)))) return false;
      cache.delete(id);
      // The record goes last: as long as it is there, a server that stopped in between finds what is left to do. Where
      // it has gone already, the manifest is a stray.
      await manifests.delete(id).catch(ignoreFailure);
      if (!alone) await stored.delete(id);
      return true;
    },
    async finishDeletions() {
      for (const id of halfDeleted) {
        await manifests.delete(id);
        await stored.delete(id);
        cache.delete(id);
        halfDeleted.delete(id);
      }
    },
    async strayManifests() {
      const spokenFor = new Set([
        ...(await stored.list()).map(({ name }) => name),
        ...(await documents.damaged("bundles")),
      ]);
      return (await manifests.list()).map(({ name }) => name).filter((name) => !spokenFor.has(name));
    },
    deleteManifest: (id) => manifests.delete(id),
    async filesOfDamaged() {
      const files = new Set<Digest>();
      const withoutRecord = await documents.damaged("bundles");
      for (const id of withoutRecord) {
        for (const { digest } of (await manifest(id))?.files ?? []) files.add(digest);
      }
      for (const id of await documents.damaged("manifests")) {
        if (!withoutRecord.includes(id) && (await stored.get(id)) === undefined) continue;
        // Whatever else is wrong with the text, a digest in it names a file.
        for (const text of (await documents.remains("manifests", id))?.match(/sha256:[0-9a-f]{64}/g) ?? []) {
          const digest = parseDigest(text);
          if (digest !== undefined) files.add(digest);
        }
      }
      return files;
    },
  };
}

function ignoreFailure(error: unknown): void {
  if (!(error instanceof StoreError)) throw error;
}

/** Of a manifest in memory, in bytes: names may have characters of two bytes. */
function weightOf({ files }: ManifestRecord): number {
  return files.reduce((sum, { name, kind }) => sum + 400 + 2 * (name.length + kind.length), 256);
}
