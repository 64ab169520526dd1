import type { HdfsStatus } from "@kindling/object-store/webhdfs";
import type { Random } from "@kindling/outside";
import { StoreError } from "../../errors/store-error.ts";
import type { DamageListener } from "../damage.ts";
import { damagedVersions, parseDocument } from "../damaged-versions.ts";
import type { DocumentName, DocumentStore, StoredDocument, Version } from "../document-store.ts";
import type { HdfsFiles } from "./hdfs-files.ts";
import type { HdfsPaths } from "./hdfs-paths.ts";
import { hdfsReader } from "./hdfs-reader.ts";

export interface HdfsDocumentsOptions {
  readonly client: HdfsFiles;
  readonly paths: HdfsPaths;
  readonly random: Random;
  /** Makes a directory once for each process. */
  readonly ensureDirectory: (path: string) => Promise<void>;
  readonly onDamage: DamageListener;
}

/** One state of a document: a file whose name is its number. */
interface State {
  readonly number: number;
  readonly file: HdfsStatus;
}

// A directory that changed this recently may change again within the same millisecond, unnoticed by its time.
const FRESH_MS = 5_000;
// Old states stay for so long. Were they removed at once, a writer that had read one of them long ago could rename its
// own to a number that was taken in between, and is free again.
const OLD_STATE_MS = 600_000;
const READ_ATTEMPTS = 10;

/**
 * Documents in HDFS, which has no compare-and-swap but an atomic rename that never replaces a file: a document is a
 * directory, and whoever renames a file to the next number has changed it.
 */
export function hdfsDocuments(options: HdfsDocumentsOptions): DocumentStore {
  const { client, paths, random, ensureDirectory, onDamage } = options;
  const damaged = damagedVersions(onDamage);
  const folderOf = (collection: string, name: string): string => `${paths.meta}/${collection}/${name}`;
  // The newest version of a document, as of its directory's time of change.
  const versions = new Map<string, { readonly modified: number; readonly version: Version | undefined }>();

  /** The newest first. */
  async function statesOf(folder: string): Promise<readonly State[]> {
    const files = (await client.list(folder)) ?? [];
    return files
      .filter(({ name, type }) => type === "FILE" && /^\d+$/.test(name))
      .map((file) => ({ number: Number(file.name), file }))
      .sort((a, b) => b.number - a.number);
  }

  async function prune(folder: string, states: readonly State[]): Promise<void> {
    for (const { number, file } of states.slice(1)) {
      if (client.serverTime() - file.modified > OLD_STATE_MS) await client.delete(`${folder}/${number}`);
    }
  }

  async function read(folder: string, { file }: State): Promise<string | undefined> {
    const path = `${folder}/${file.name}`;
    // A state has all of its bytes before it has its name: one without any is damaged, and not on its way.
    if (file.length === 0) return "";
    const response = await client.open(path, { start: 0, end: file.length });
    if (response === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of hdfsReader(client, path, { start: 0, end: file.length }, response)) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  async function get(collection: string, name: string): Promise<StoredDocument | undefined> {
    const folder = folderOf(collection, name);
    for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
      const [state] = await statesOf(folder);
      if (state === undefined) return undefined;
      const text = await read(folder, state);
      const version = versionOf(state);
      if (text !== undefined) {
        const parsed = damaged.includes(collection, name, version) ? undefined : parseDocument(text);
        if (parsed !== undefined) return { value: parsed.value, version };
        damaged.note(collection, name, version, "it is no JSON");
        return undefined;
      }
      // Somebody changed it between the two steps, and has removed the old state.
    }
    throw new StoreError("unavailable", `${collection}/${name} changes faster than it can be read`);
  }

  async function put(collection: string, name: string, value: unknown, expect: Version | undefined): Promise<Version> {
    const folder = folderOf(collection, name);
    const states = await statesOf(folder);
    const [before] = states;
    const conflict = (): StoreError => new StoreError("conflict", `${collection}/${name} was changed by somebody else`);
    const inTheWay = before !== undefined && damaged.includes(collection, name, versionOf(before));
    if ((before === undefined || inTheWay ? undefined : versionOf(before)) !== expect) throw conflict();
    if (inTheWay) await keepCopy(collection, name, before);
    if (before === undefined) await client.makeDirectory(folder);
    await ensureDirectory(paths.fresh);
    const fresh = `${paths.fresh}/${random.uuid()}`;
    await client.create(fresh, Buffer.from(JSON.stringify(value)));
    const number = (before?.number ?? 0) + 1;
    const path = `${folder}/${number}`;
    const written = await client.status(fresh);
    if (!(await client.rename(fresh, path))) {
      // An attempt whose answer was lost may have been the one: a file keeps its id when it is renamed.
      const there = await client.status(path);
      await client.delete(fresh);
      if (there === undefined || there.fileId !== written?.fileId) throw conflict();
    }
    // What cannot be removed now is removed with a later change.
    await prune(folder, states).catch(() => undefined);
    if (written === undefined) throw conflict();
    damaged.forget(collection, name);
    return versionOf({ number, file: written });
  }

  /** The old states of a document go in time. */
  async function keepCopy(collection: string, name: string, state: State): Promise<void> {
    const text = await read(folderOf(collection, name), state);
    const folder = `${paths.damaged}/${collection}/${name}`;
    await client.makeDirectory(folder);
    const path = `${folder}/${state.number}`;
    if (text !== undefined && (await client.status(path)) === undefined) await client.create(path, Buffer.from(text));
  }

  async function versionInList(collection: string, { name, modified }: HdfsStatus): Promise<Version | undefined> {
    const folder = folderOf(collection, name);
    const known = versions.get(folder);
    if (known?.modified === modified && client.serverTime() - modified > FRESH_MS) return known.version;
    const [state] = await statesOf(folder);
    const version = state && versionOf(state);
    versions.set(folder, { modified, version });
    return version;
  }

  return {
    shared: true,
    get,
    put: (collection, name, value, { expect }) => put(collection, name, value, expect),
    async delete(collection, name) {
      const folder = folderOf(collection, name);
      versions.delete(folder);
      damaged.forget(collection, name);
      await client.delete(folder, { recursive: true });
      // A collection of two parts belongs to one lease; it goes when its last entry goes.
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
      const folder = folderOf(collection, name);
      const [state] = await statesOf(folder);
      return state && (await read(folder, state));
    },
  };
}

/** The number, and the file's own id: a document that was deleted and made anew begins at 1 again. */
function versionOf({ number, file }: State): Version {
  return `${number}:${file.fileId}`;
}
