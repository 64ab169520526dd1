import { mkdir, open, readdir, readFile, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentStore, StoredDocument, Version } from "./document-store.ts";
import { fileSystemError, StoreError } from "../stores/store-error.ts";
import { moveInto, syncDirectory } from "../stores/local-disk/durable-folders.ts";
import type { StepHook } from "../stores/local-disk/steps.ts";

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
export async function localDocuments(root: string, onStep: StepHook = () => undefined): Promise<DocumentStore> {
  const temporary = join(root, ".tmp");
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const entries = await load(root);
  const busy = new Map<string, Promise<unknown>>();
  let counter = 0;

  const file = (collection: string, name: string): string => join(root, collection, `${name}.json`);

  /** One change of a document after the other. */
  async function alone<T>(key: string, change: () => Promise<T>): Promise<T> {
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

  async function write(collection: string, name: string, text: string, relaxed: boolean): Promise<Version> {
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
      await moveInto(join(root, collection), path, file(collection, name));
    } catch (error) {
      await unlink(path).catch(() => undefined);
      throw error;
    }
    onStep("document-done");
    if (!relaxed) await syncDirectory(join(root, collection));
    const cached = text.length <= CACHE_BELOW_BYTES ? text : undefined;
    collectionOf(collection).set(name, { version, text: cached });
    return version;
  }

  function collectionOf(collection: string): Map<string, Entry> {
    const known = entries.get(collection);
    if (known !== undefined) return known;
    const made = new Map<string, Entry>();
    entries.set(collection, made);
    return made;
  }

  return {
    shared: false,
    async get(collection, name): Promise<StoredDocument | undefined> {
      const entry = entries.get(collection)?.get(name);
      if (entry === undefined) return undefined;
      try {
        const text = entry.text ?? (await readFile(file(collection, name), "utf8"));
        return { value: JSON.parse(text) as unknown, version: entry.version };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw fileSystemError(error);
      }
    },
    put: (collection, name, value, { expect, relaxed = false }) =>
      alone(`${collection}/${name}`, async () => {
        const current = entries.get(collection)?.get(name)?.version;
        if (current !== expect) throw new StoreError("conflict", `${collection}/${name} was changed by somebody else`);
        return await write(collection, name, JSON.stringify(value), relaxed);
      }),
    delete: (collection, name) =>
      alone(`${collection}/${name}`, async () => {
        onStep("document-delete");
        await unlink(file(collection, name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        });
        const left = entries.get(collection);
        left?.delete(name);
        // A collection of two parts belongs to one lease; it goes when its last entry goes.
        if (left?.size === 0 && collection.includes("/")) {
          entries.delete(collection);
          await rmdir(join(root, collection)).catch(() => undefined);
        }
      }),
    list: (collection) =>
      Promise.resolve([...(entries.get(collection) ?? [])].map(([name, { version }]) => ({ name, version }))),
    collections: (first) =>
      Promise.resolve(
        [...entries.keys()].filter((key) => key.startsWith(`${first}/`)).map((key) => key.slice(first.length + 1)),
      ),
  };
}

/** What is on disk at the start, by collection and name. */
async function load(root: string): Promise<Map<string, Map<string, Entry>>> {
  const entries = new Map<string, Map<string, Entry>>();
  const walk = async (collection: string): Promise<void> => {
    const names = new Map<string, Entry>();
    for (const item of await readdir(join(root, collection), { withFileTypes: true })) {
      if (item.name === ".tmp") continue;
      const path = join(collection, item.name);
      if (item.isDirectory()) await walk(path);
      else if (item.name.endsWith(".json")) names.set(item.name.slice(0, -".json".length), await loadOne(root, path));
    }
    if (names.size > 0) entries.set(collection, names);
  };
  await walk("");
  return entries;
}

async function loadOne(root: string, path: string): Promise<Entry> {
  const text = await readFile(join(root, path), "utf8");
  return { version: "0", text: text.length <= CACHE_BELOW_BYTES ? text : undefined };
}
