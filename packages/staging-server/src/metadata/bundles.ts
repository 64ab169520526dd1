import { parseDigest, type Digest } from "@kindling/staging-client";
import type { DocumentStore } from "../stores/document-store.ts";
import { isBundleRecord, type BundleRecord } from "./bundle-record.ts";
import { deleteBundleIf, type BundleDocuments } from "./delete-bundles.ts";
import { documentCollection, type Collection } from "./document.ts";
import { manifestStore, type ManifestRecord } from "./manifests.ts";

export interface Bundles {
  readonly records: Collection<BundleRecord>;
  /** Whether other servers may write, too. */
  readonly shared: boolean;
  manifest(id: string): Promise<ManifestRecord | undefined>;
  /** Commits: the manifest first, then the record that makes it a bundle. */
  create(record: BundleRecord, manifest: ManifestRecord): Promise<void>;
  /**
   * Deletes a bundle if it is still as the caller found it; `false` if it has changed since. When this resolves, it is
   * gone for good.
   */
  deleteIf(id: string, holds: (record: BundleRecord) => boolean): Promise<boolean>;
  /** Finishes deletions that a server began and did not finish, of the records that were read so far. */
  finishDeletions(): Promise<void>;
  /** Manifests of incomplete commits. */
  strayManifests(): Promise<readonly string[]>;
  deleteManifest(id: string): Promise<void>;
  /**
   * The files of bundles whose record or manifest is damaged, as far as the remains show them. They stay for as long as
   * the remains, so that an administrator can repair the documents.
   */
  filesOfDamaged(): Promise<ReadonlySet<Digest>>;
}

const CACHE_BYTES = 16 * 1024 * 1024;

/** @param cacheBytes how much memory recently used manifests may take */
export function bundleStore(documents: DocumentStore, cacheBytes: number = CACHE_BYTES): Bundles {
  const stored = documentCollection(documents, "bundles", isBundleRecord);
  const manifests = manifestStore(documents, cacheBytes);
  const bundles: BundleDocuments = { documents, stored, manifests };
  const halfDeleted = new Set<string>();
  return {
    records: {
      ...stored,
      async get(id) {
        const found = await stored.get(id);
        if (found?.value.state === "deleted") halfDeleted.add(id);
        return found;
      },
    },
    shared: documents.shared,
    manifest: (id) => manifests.get(id),
    async create(record, manifest) {
      await manifests.create(record.id, manifest);
      await stored.create(record.id, record);
    },
    deleteIf: (id, holds) => deleteBundleIf(bundles, id, holds),
    async finishDeletions() {
      for (const id of halfDeleted) {
        await manifests.delete(id);
        await stored.delete(id);
        manifests.forget(id);
        halfDeleted.delete(id);
      }
    },
    strayManifests: () => strayManifests(bundles),
    deleteManifest: (id) => manifests.delete(id),
    filesOfDamaged: () => filesOfDamaged(bundles),
  };
}

async function strayManifests({ documents, stored, manifests }: BundleDocuments): Promise<readonly string[]> {
  const spokenFor = new Set([
    ...(await stored.list()).map(({ name }) => name),
    ...(await documents.damaged("bundles")),
  ]);
  return (await manifests.ids()).filter((name) => !spokenFor.has(name));
}

async function filesOfDamaged({ documents, stored, manifests }: BundleDocuments): Promise<ReadonlySet<Digest>> {
  const files = new Set<Digest>();
  const withoutRecord = await documents.damaged("bundles");
  for (const id of withoutRecord) {
    for (const { digest } of (await manifests.get(id))?.files ?? []) files.add(digest);
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
}
