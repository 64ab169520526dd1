import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileSystemError, StoreError } from "../../errors/store-error.ts";
import { oneByOne } from "./one-by-one.ts";
import type { DocumentStore, StoredDocument, Version } from "../document-store.ts";
import { damagedFiles, type DamagedFiles } from "./damaged-files.ts";
import { documentEntries, type DocumentEntries } from "./document-entries.ts";
import { durableFolders, type DurableFolders } from "./durable-folders.ts";
import { documentFile, loadDocuments, readDocument, setDocumentAside, shelfOf } from "./load-documents.ts";
import type { SpaceReserve } from "./space-reserve.ts";
import type { StepHook } from "./steps.ts";
import { removeDocument, writeDocument, type DocumentFiles } from "./write-documents.ts";

export interface LocalDocumentsOptions {
  readonly onStep?: StepHook;
  readonly folders?: DurableFolders;
  /** The place for damaged documents; default: a folder among the documents. */
  readonly damaged?: DamagedFiles;
  /** Room for changes on a full disk. */
  readonly reserve?: SpaceReserve;
  /** Rejects if another process has taken the folder over. */
  readonly confirm?: () => Promise<void>;
}

/**
 * Documents as files of one folder that only this process uses. The versions are counted in memory, and begin again with
 * each start.
 */
export async function localDocuments(root: string, options: LocalDocumentsOptions = {}): Promise<DocumentStore> {
  const files = await openDocuments(root, options);
  const { entries, damaged, folders } = files;
  const inTurn = oneByOne();
  /** Runs changes of a document one after the other. */
  const alone = async <T>(collection: string, name: string, change: () => Promise<T>): Promise<T> => {
    try {
      return await inTurn(`${collection}/${name}`, change);
    } catch (error) {
      throw fileSystemError(error);
    }
  };
  return {
    shared: false,
    async get(collection, name) {
      const entry = entries.get(collection, name);
      if (entry === undefined) return undefined;
      if (entry.text !== undefined) return { value: JSON.parse(entry.text) as unknown, version: entry.version };
      return await alone(collection, name, () => readNow(files, collection, name));
    },
    put: (collection, name, value, { expect, relaxed = false }) =>
      alone(collection, name, async () => {
        expectVersion(entries, collection, name, expect);
        return await writeDocument(files, { collection, name, value, relaxed });
      }),
    delete: (collection, name) => alone(collection, name, () => removeDocument(files, collection, name)),
    deleteVersion: (collection, name, version) =>
      alone(collection, name, async () => {
        expectVersion(entries, collection, name, version);
        await removeDocument(files, collection, name);
        await folders.sync(join(root, collection));
      }),
    list: (collection, prefix = "") => Promise.resolve(entries.list(collection, prefix)),
    collections: (first) => Promise.resolve(entries.collections(first)),
    setAside: (collection, name, version, reason) =>
      alone(collection, name, async () => {
        if (entries.get(collection, name)?.version !== version) return;
        await setDocumentAside(documentFile(root, collection, name), damaged, reason);
        entries.forget(collection, name);
      }),
    damaged: (collection) => damaged.names(shelfOf(collection)),
    remains: async (collection, name) => (await damaged.read(shelfOf(collection), name))?.toString("utf8"),
  };
}

async function openDocuments(root: string, options: LocalDocumentsOptions): Promise<DocumentFiles> {
  const { onStep = () => undefined, confirm = () => Promise.resolve(), reserve } = options;
  const { folders = durableFolders(root), damaged = damagedFiles(join(root, ".damaged")) } = options;
  const temporary = join(root, ".tmp");
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  for (const name of await readdir(temporary)) await rm(join(temporary, name), { recursive: true, force: true });
  const entries = documentEntries();
  await loadDocuments(root, damaged, (collection, name, json) => entries.remember(collection, name, "0", json));
  let counter = 0;
  const nextVersion = (): Version => String(++counter);
  return { root, temporary, damaged, onStep, entries, folders, reserve, confirm, nextVersion };
}

function expectVersion(entries: DocumentEntries, collection: string, name: string, expect: Version | undefined): void {
  if (entries.get(collection, name)?.version === expect) return;
  throw new StoreError("conflict", `${collection}/${name} was changed by another writer`);
}

/** Reads the document as it is now: it may have changed while this waited for its turn. */
async function readNow(
  { root, entries, damaged }: DocumentFiles,
  collection: string,
  name: string,
): Promise<StoredDocument | undefined> {
  const { version, text } = entries.get(collection, name) ?? {};
  if (version === undefined) return undefined;
  const json = text ?? (await readDocument(documentFile(root, collection, name), damaged));
  if (json !== undefined) return { value: JSON.parse(json) as unknown, version };
  entries.forget(collection, name);
  return undefined;
}
