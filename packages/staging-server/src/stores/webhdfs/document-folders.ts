import type { HdfsStatus } from "@kindling/object-store/webhdfs";
import type { Random } from "@kindling/outside";
import { StoreError } from "../../errors/store-error.ts";
import { parseDocument, type DamagedVersions } from "../damaged-versions.ts";
import type { StoredDocument, Version } from "../document-store.ts";
import { pruneStates, readState, statesOf, versionOf, type DocumentState } from "./document-states.ts";
import type { HdfsFiles } from "./hdfs-files.ts";
import type { HdfsPaths } from "./hdfs-paths.ts";

/** Documents, each of which is a directory with its states. */
export interface DocumentFolders {
  readonly client: HdfsFiles;
  readonly paths: HdfsPaths;
  readonly random: Random;
  /** Makes a directory once for each process. */
  readonly ensureDirectory: (path: string) => Promise<void>;
  readonly damaged: DamagedVersions;
}

const READ_ATTEMPTS = 10;

export function folderOf({ paths }: DocumentFolders, collection: string, name: string): string {
  return `${paths.meta}/${collection}/${name}`;
}

export async function getDocument(
  folders: DocumentFolders,
  collection: string,
  name: string,
): Promise<StoredDocument | undefined> {
  const { client, damaged } = folders;
  const folder = folderOf(folders, collection, name);
  for (let attempt = 1; attempt <= READ_ATTEMPTS; attempt++) {
    const [state] = await statesOf(client, folder);
    if (state === undefined) return undefined;
    const text = await readState(client, folder, state);
    const version = versionOf(state);
    if (text !== undefined) {
      const parsed = damaged.includes(collection, name, version) ? undefined : parseDocument(text);
      if (parsed !== undefined) return { value: parsed.value, version };
      damaged.note(collection, name, version, "it is no JSON");
      return undefined;
    }
    // Another server changed it between the two steps, and has removed the old state.
  }
  throw new StoreError("unavailable", `${collection}/${name} changes faster than it can be read`);
}

/** @param expect the version that it must have now; `undefined`: it must not exist */
export async function putDocument(
  folders: DocumentFolders,
  collection: string,
  name: string,
  value: unknown,
  expect: Version | undefined,
): Promise<Version> {
  const { client, damaged } = folders;
  const folder = folderOf(folders, collection, name);
  const states = await statesOf(client, folder);
  const [before] = states;
  const conflict = (): StoreError => new StoreError("conflict", `${collection}/${name} was changed by another writer`);
  const inTheWay = before !== undefined && damaged.includes(collection, name, versionOf(before));
  if ((before === undefined || inTheWay ? undefined : versionOf(before)) !== expect) throw conflict();
  if (inTheWay) await keepCopy(folders, collection, name, before);
  if (before === undefined) await client.makeDirectory(folder);
  const number = (before?.number ?? 0) + 1;
  const file = await addState(folders, `${folder}/${number}`, value);
  if (file === "taken") throw conflict();
  // If states cannot be removed now, a later change removes them.
  await pruneStates(client, folder, states).catch(() => undefined);
  if (file === undefined) throw conflict();
  damaged.forget(collection, name);
  return versionOf({ number, file });
}

/** Keeps a copy, because the old states of a document are removed later. */
async function keepCopy(
  folders: DocumentFolders,
  collection: string,
  name: string,
  state: DocumentState,
): Promise<void> {
  const { client, paths } = folders;
  const text = await readState(client, folderOf(folders, collection, name), state);
  const folder = `${paths.damaged}/${collection}/${name}`;
  await client.makeDirectory(folder);
  const path = `${folder}/${state.number}`;
  if (text !== undefined && (await client.status(path)) === undefined) await client.create(path, Buffer.from(text));
}

/**
 * Writes a file, and gives it a name that no other file has.
 *
 * @returns `taken` if another file has the name; otherwise the file, or `undefined` if it was gone as soon as it was
 * written
 */
async function addState(
  { client, paths, random, ensureDirectory }: DocumentFolders,
  path: string,
  value: unknown,
): Promise<HdfsStatus | "taken" | undefined> {
  await ensureDirectory(paths.fresh);
  const fresh = `${paths.fresh}/${random.uuid()}`;
  await client.create(fresh, Buffer.from(JSON.stringify(value)));
  const written = await client.status(fresh);
  if (!(await client.rename(fresh, path))) {
    // An attempt whose answer was lost may have renamed it: a file keeps its id when it is renamed.
    const there = await client.status(path);
    await client.delete(fresh);
    if (there === undefined || there.fileId !== written?.fileId) return "taken";
  }
  return written;
}
