import type { HdfsStatus } from "@kindling/object-store/webhdfs";
import type { DamageListener } from "../damage.ts";
import { damagedVersions } from "../damaged-versions.ts";
import type { DocumentName, DocumentStore, Version } from "../document-store.ts";
import { folderOf, getDocument, putDocument, type DocumentFolders } from "./document-folders.ts";
import { readState, statesOf, versionOf } from "./document-states.ts";

export interface HdfsDocumentsOptions extends Omit<DocumentFolders, "damaged"> {
  readonly onDamage: DamageListener;
}

// A directory that changed this recently may change again within the same millisecond, so that its time stays the same.
const FRESH_MS = 5_000;

/**
 * Documents in HDFS. HDFS has no compare-and-swap, but an atomic rename that never replaces a file. So a document is a
 * directory, and a writer changes it when it renames a file to the next number.
 */
export function hdfsDocuments(options: HdfsDocumentsOptions): DocumentStore {
  const { client, paths, onDamage } = options;
  const damaged = damagedVersions(onDamage);
  const folders: DocumentFolders = { ...options, damaged };
  // The newest version of a document, as of its directory's time of change.
  const versions = new Map<string, { readonly modified: number; readonly version: Version | undefined }>();

  async function versionInList(collection: string, { name, modified }: HdfsStatus): Promise<Version | undefined> {
    const folder = folderOf(folders, collection, name);
    const known = versions.get(folder);
    if (known?.modified === modified && client.serverTime() - modified > FRESH_MS) return known.version;
    const [state] = await statesOf(client, folder);
    const version = state && versionOf(state);
    versions.set(folder, { modified, version });
    return version;
  }

  return {
    shared: true,
    get: (collection, name) => getDocument(folders, collection, name),
    put: (collection, name, value, { expect }) => putDocument(folders, collection, name, value, expect),
    async delete(collection, name) {
      const folder = folderOf(folders, collection, name);
      versions.delete(folder);
      damaged.forget(collection, name);
      await client.delete(folder, { recursive: true });
      // A collection of two parts belongs to one lease; it is removed with its last entry.
      const parent = `${paths.meta}/${collection}`;
      if (collection.includes("/") && (await client.list(parent))?.length === 0) await client.delete(parent);
    },
    async list(collection, prefix = "") {
      const names: DocumentName[] = [];
      for (const entry of (await client.list(`${paths.meta}/${collection}`)) ?? []) {
        if (!entry.name.startsWith(prefix)) continue;
        const version = await versionInList(collection, entry);
        if (version !== undefined) names.push({ name: entry.name, version });
      }
      return names;
    },
    async collections(first) {
      return ((await client.list(`${paths.meta}/${first}`)) ?? []).map(({ name }) => name);
    },
    setAside: (collection, name, version, reason) => {
      damaged.note(collection, name, version, reason);
      return Promise.resolve();
    },
    damaged: (collection) => Promise.resolve(damaged.names(collection)),
    async remains(collection, name) {
      const folder = folderOf(folders, collection, name);
      const [state] = await statesOf(client, folder);
      return state && (await readState(client, folder, state));
    },
  };
}
