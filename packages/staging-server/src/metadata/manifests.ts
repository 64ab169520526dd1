import { parseDigest, type BundleFile, type Digest } from "@kindling/staging-client";
import { weightedCache } from "../memory/weighted-cache.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection } from "./document.ts";
import { isListOf, isNumber, isRecord, isText, type Shape } from "./shape.ts";

export interface ManifestRecord {
  readonly files: readonly BundleFile[];
}

/** The manifests of bundles, by the bundles' ids. They never change. */
export interface Manifests {
  get(id: string): Promise<ManifestRecord | undefined>;
  create(id: string, manifest: ManifestRecord): Promise<void>;
  delete(id: string): Promise<void>;
  /** Its bundle is gone, so no request needs it any more. */
  forget(id: string): void;
  ids(): Promise<readonly string[]>;
}

export const isDigest: Shape<Digest> = (value): value is Digest => isText(value) && parseDigest(value) !== undefined;

const isManifestRecord: Shape<ManifestRecord> = isRecord<ManifestRecord>({
  files: isListOf(
    isRecord<BundleFile>({ name: isText, kind: isText, digest: isDigest, size: isNumber, mode: isNumber }),
  ),
});

/** @param cacheBytes how much memory recently used manifests may take */
export function manifestStore(documents: DocumentStore, cacheBytes: number): Manifests {
  const stored = documentCollection(documents, "manifests", isManifestRecord);
  // A thousand executors ask for the same files; a manifest never changes.
  const cache = weightedCache<ManifestRecord>(cacheBytes);
  // If several requests need the same manifest at the same time, it is read once.
  const reading = new Map<string, Promise<ManifestRecord | undefined>>();

  async function read(id: string): Promise<ManifestRecord | undefined> {
    const found = (await stored.get(id))?.value;
    if (found !== undefined) cache.set(id, found, weightOf(found));
    return found;
  }

  return {
    async get(id) {
      const known = cache.get(id);
      if (known !== undefined) return known;
      const underWay = reading.get(id) ?? read(id).finally(() => reading.delete(id));
      reading.set(id, underWay);
      return await underWay;
    },
    async create(id, manifest) {
      await stored.create(id, manifest);
    },
    delete: (id) => stored.delete(id),
    forget: (id) => cache.delete(id),
    ids: async () => (await stored.list()).map(({ name }) => name),
  };
}

/** The size of a manifest in memory, in bytes: names may have characters of two bytes. */
function weightOf({ files }: ManifestRecord): number {
  return files.reduce((sum, { name, kind }) => sum + 400 + 2 * (name.length + kind.length), 256);
}
