import { rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isFull } from "../../errors/store-error.ts";
import type { Version } from "../document-store.ts";
import type { DocumentEntries } from "./document-entries.ts";
import { sealedText } from "./document-text.ts";
import type { DurableFolders } from "./durable-folders.ts";
import { documentFile } from "./load-documents.ts";
import { placeDocument, type DocumentFolder, type PlacedDocument } from "./place-document.ts";
import type { SpaceReserve } from "./space-reserve.ts";

/** The documents of a folder on disk and in memory. Changes of a document run one after the other. */
export interface DocumentFiles extends DocumentFolder {
  readonly entries: DocumentEntries;
  readonly folders: DurableFolders;
  readonly reserve: SpaceReserve | undefined;
  /** Rejects if another process has taken the folder over. */
  readonly confirm: () => Promise<void>;
  /** A version that no document has had. */
  readonly nextVersion: () => Version;
}

export async function writeDocument(
  files: DocumentFiles,
  { value, ...place }: Omit<PlacedDocument, "text"> & { readonly value: unknown },
): Promise<Version> {
  const { entries, confirm, reserve, onStep } = files;
  const { collection, name, relaxed } = place;
  const json = JSON.stringify(value);
  const isNew = entries.get(collection, name) === undefined;
  await confirm();
  const put = async (): Promise<Version> => {
    const version = files.nextVersion();
    await placeDocument(files, version, { ...place, text: sealedText(json) });
    return version;
  };
  let version: Version;
  try {
    version = await put();
  } catch (error) {
    // After a document has replaced an older one, it needs no more room than before. Uploads, whose documents are
    // relaxed, may not use the reserve: it is for changes that free space.
    if (isNew || relaxed || reserve === undefined || !isFull(error)) throw error;
    await reserve.giveUp();
    version = await put();
  }
  // From here on the document is there even if a later step fails: the memory must match the disk.
  entries.remember(collection, name, version, json);
  onStep("document-done");
  if (!relaxed) await flushed(files, collection, name, isNew);
  return version;
}

async function flushed(
  { root, entries, folders }: DocumentFiles,
  collection: string,
  name: string,
  isNew: boolean,
): Promise<void> {
  try {
    await folders.sync(join(root, collection));
  } catch (error) {
    // A document that was not acknowledged must not be there.
    if (isNew) {
      await unlink(documentFile(root, collection, name).path).catch(() => undefined);
      entries.forget(collection, name);
    }
    throw error;
  }
}

export async function removeDocument(files: DocumentFiles, collection: string, name: string): Promise<void> {
  const { root, entries, confirm, onStep } = files;
  await confirm();
  onStep("document-delete");
  await unlink(documentFile(root, collection, name).path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  entries.forget(collection, name);
  // A collection of two parts belongs to one lease; it is removed with its last entry.
  if (collection.includes("/") && entries.forgetIfEmpty(collection)) {
    await rmdir(join(root, collection)).catch(() => undefined);
  }
}
