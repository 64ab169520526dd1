import { lstat, mkdir, open, readdir, rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileSystemError, isFull, StoreError } from "../../errors/store-error.ts";
import type { DocumentStore, StoredDocument, Version } from "../document-store.ts";
import { damagedFiles, type DamagedFiles } from "./damaged-files.ts";
import { sealedText } from "./document-text.ts";
import { durableFolders, moveInto, type DurableFolders } from "./durable-folders.ts";
import { documentFile, loadDocuments, readDocument, setDocumentAside, shelfOf } from "./load-documents.ts";
import type { SpaceReserve } from "./space-reserve.ts";
import type { StepHook } from "./steps.ts";

export interface LocalDocumentsOptions {
  readonly onStep?: StepHook;
  readonly folders?: DurableFolders;
  /** Where damaged documents go; default: a folder among the documents. */
  readonly damaged?: DamagedFiles;
  /** Room for changes on a full disk. */
  readonly reserve?: SpaceReserve;
  /** Rejects if the folder is no longer this process's. */
  readonly confirm?: () => Promise<void>;
}

// Documents up to this size stay in memory; the larger ones, manifests, are read when they are asked for.
const CACHE_BELOW_BYTES = 4096;

interface Entry {
  readonly version: Version;
  /** The JSON text, where it is small. */
  readonly text: string | undefined;
}

/**
 * Documents as files of one folder that this process has for itself: the versions are counted in memory, and begin anew
 * with each start.
 */
export async function localDocuments(root: string, options: LocalDocumentsOptions = {}): Promise<DocumentStore> {
  const { onStep = () => undefined, confirm = () => Promise.resolve(), reserve } = options;
  const { folders = durableFolders(root), damaged = damagedFiles(join(root, ".damaged")) } = options;
  const temporary = join(root, ".tmp");
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  for (const name of await readdir(temporary)) await rm(join(temporary, name), { recursive: true, force: true });
  const entries = new Map<string, Map<string, Entry>>();
  await loadDocuments(root, damaged, (collection, name, json) => remember(collection, name, "0", json));
  const busy = new Map<string, Promise<unknown>>();
  let counter = 0;

  const file = (collection: string, name: string): string => documentFile(root, collection, name).path;

  function remember(collection: string, name: string, version: Version, json: string): void {
    const known = entries.get(collection) ?? new Map<string, Entry>();
    entries.set(collection, known);
    known.set(name, { version, text: json.length <= CACHE_BELOW_BYTES ? json : undefined });
  }

  /** One change of a document after the other. */
  async function alone<T>(collection: string, name: string, change: () => Promise<T>): Promise<T> {
    const key = `${collection}/${name}`;
    const mine = (busy.get(key) ?? Promise.resolve()).then(change, change);
    busy.set(key, mine);
    try {
      return await mine;
    } catch (error) {
      throw fileSystemError(error);
    } finally {
      if (busy.get(key) === mine) busy.delete(key);
    }
  }

  function expectVersion(collection: string, name: string, expect: Version | undefined): void {
    if (entries.get(collection)?.get(name)?.version === expect) return;
    throw new StoreError("conflict", `${collection}/${name} was changed by somebody else`);
  }

  /** Puts a whole file where the document is to be, and leaves nothing behind if it cannot. */
  async function place(collection: string, name: string, text: string, relaxed: boolean): Promise<Version> {
    const version = String(++counter);
    const path = join(temporary, version);
    try {
      onStep("document-write");
      const handle = await open(path, "wx", 0o600);
      try {
        await handle.writeFile(text);
        onStep("document-sync");
        if (!relaxed) await handle.datasync();
      } finally {
        await handle.close();
      }
      onStep("document-rename");
      const folder = join(root, collection);
      await clearingTheWay(collection, name, () => moveInto(folder, path, file(collection, name)));
      return version;
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
  }

  /** A directory where the file is to be, or a file where its directory is to be, is nobody's document. */
  async function clearingTheWay(collection: string, name: string, move: () => Promise<void>): Promise<void> {
    try {
      await move();
      return;
    } catch (error) {
      if (!IN_THE_WAY.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
    for (let path = join(root, collection); path !== root; path = dirname(path)) {
      if (await isInTheWay(path)) await fileAside(path);
    }
    const stats = await stat(file(collection, name)).catch(() => undefined);
    if (stats?.isDirectory() === true) {
      await setDocumentAside(documentFile(root, collection, name), damaged, "it is a directory");
    }
    await move();
  }

  /** A link that leads to a directory is one; a link that leads nowhere is not. */
  async function isInTheWay(path: string): Promise<boolean> {
    if ((await lstat(path).catch(() => undefined)) === undefined) return false;
    return (await stat(path).catch(() => undefined))?.isDirectory() !== true;
  }

  async function fileAside(path: string): Promise<void> {
    const name = path.slice(root.length + 1);
    const what = { what: "document", name, reason: "it stands where a folder of documents is to be" } as const;
    await damaged.setAside({ shelf: "other", name: name.replaceAll(/[/.]/g, "-"), path }, what);
  }

  async function write(collection: string, name: string, value: unknown, relaxed: boolean): Promise<Version> {
    const json = JSON.stringify(value);
    const isNew = entries.get(collection)?.has(name) !== true;
    await confirm();
    let version: Version;
    try {
      version = await place(collection, name, sealedText(json), relaxed);
    } catch (error) {
      // A document in place of an older one needs no more room than that had, as soon as it is there. Uploads, whose
      // documents are relaxed, would only take the room that others need to make more of it.
      if (isNew || relaxed || reserve === undefined || !isFull(error)) throw error;
      await reserve.giveUp();
      version = await place(collection, name, sealedText(json), relaxed);
    }
    // From here on it is there, whatever becomes of it: what is remembered is what is on disk.
    remember(collection, name, version, json);
    onStep("document-done");
    if (!relaxed) await flushed(collection, name, isNew);
    return version;
  }

  async function flushed(collection: string, name: string, isNew: boolean): Promise<void> {
    try {
      await folders.sync(join(root, collection));
    } catch (error) {
      // One that nobody is told of must not be there.
      if (isNew) {
        await unlink(file(collection, name)).catch(() => undefined);
        entries.get(collection)?.delete(name);
      }
      throw error;
    }
  }

  function forget(collection: string, name: string): void {
    entries.get(collection)?.delete(name);
  }

  async function remove(collection: string, name: string): Promise<void> {
    await confirm();
    onStep("document-delete");
    await unlink(file(collection, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    forget(collection, name);
    // A collection of two parts belongs to one lease; it goes when its last entry goes.
    if (entries.get(collection)?.size === 0 && collection.includes("/")) {
      entries.delete(collection);
      await rmdir(join(root, collection)).catch(() => undefined);
    }
  }

  return {
    shared: false,
    async get(collection, name): Promise<StoredDocument | undefined> {
      const entry = entries.get(collection)?.get(name);
      if (entry === undefined) return undefined;
      if (entry.text !== undefined) return { value: JSON.parse(entry.text) as unknown, version: entry.version };
      return await alone(collection, name, async () => {
        // As of now: it may have been changed while this waited for its turn.
        const { version, text } = entries.get(collection)?.get(name) ?? {};
        if (version === undefined) return undefined;
        const json = text ?? (await readDocument(documentFile(root, collection, name), damaged));
        if (json !== undefined) return { value: JSON.parse(json) as unknown, version };
        forget(collection, name);
        return undefined;
      });
    },
    put: (collection, name, value, { expect, relaxed = false }) =>
      alone(collection, name, async () => {
        expectVersion(collection, name, expect);
        return await write(collection, name, value, relaxed);
      }),
    delete: (collection, name) => alone(collection, name, () => remove(collection, name)),
    deleteVersion: (collection, name, version) =>
      alone(collection, name, async () => {
        expectVersion(collection, name, version);
        await remove(collection, name);
        await folders.sync(join(root, collection));
      }),
    list: (collection, prefix = "") =>
      Promise.resolve(
        [...(entries.get(collection) ?? [])]
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, { version }]) => ({ name, version })),
      ),
    collections: (first) =>
      Promise.resolve(
        [...entries.keys()].filter((key) => key.startsWith(`${first}/`)).map((key) => key.slice(first.length + 1)),
      ),
    setAside: (collection, name, version, reason) =>
      alone(collection, name, async () => {
        if (entries.get(collection)?.get(name)?.version !== version) return;
        await setDocumentAside(documentFile(root, collection, name), damaged, reason);
        forget(collection, name);
      }),
    damaged: (collection) => damaged.names(shelfOf(collection)),
    remains: async (collection, name) => (await damaged.read(shelfOf(collection), name))?.toString("utf8"),
  };
}

const IN_THE_WAY: ReadonlySet<string> = new Set(["EISDIR", "ENOTDIR", "EEXIST", "ENOTEMPTY", "ELOOP", "ENOENT"]);
