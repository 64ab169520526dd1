import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { isName } from "@kindling/recorder-client";
import type { Archive } from "../archive/archive.ts";
import { HANDOVER_FOLDER, handoverFolder } from "../archive/archive-paths.ts";
import { deleteFolder } from "../archive/delete-folder.ts";

/** What is copied again and again while a run goes on: its pods. Its logs are in the cluster as well. */
export const LEDGER_FILES: ReadonlySet<string> = new Set(["driver.json", "begun.jsonl", "lives.jsonl"]);

/** The list of the files of a folder. It is stored last, so a folder without one is not whole. */
const LIST = "files.json";
/** Something that is being written. */
const UNFINISHED = ".new";

/** A file of a run's folder. */
export interface SpoolFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** The files in the folder of a run, the small ones first. */
export async function spoolFiles(folder: string): Promise<readonly SpoolFile[]> {
  const files: SpoolFile[] = [];
  for (const path of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, path));
    if (found.isFile() && !path.endsWith(UNFINISHED)) files.push({ path, size: found.size, modified: found.mtimeMs });
  }
  return files.toSorted((a, b) => a.size - b.size);
}

/**
 * Copies files of a run's folder into the archive. No file of an archive is empty.
 *
 * @throws ArchiveError
 */
export async function copyFiles(
  archive: Archive,
  uid: string,
  { folder, files }: { readonly folder: string; readonly files: readonly SpoolFile[] },
): Promise<void> {
  for (const { path, size } of files)
    if (size > 0) await archive.putFile(`${handoverFolder(uid)}/${path}`, join(folder, path));
}

/** Says that all files of a run's folder are in the archive. */
export async function finishCopy(archive: Archive, uid: string, files: readonly SpoolFile[]): Promise<void> {
  const list = files.map(({ path, size }) => ({ path, size }));
  await archive.put(`${handoverFolder(uid)}/${LIST}`, Buffer.from(JSON.stringify(list)));
}

/** The runs whose folders are in the archive, whole or in part, by uid. */
export async function copiedRuns(archive: Archive): Promise<readonly string[]> {
  return (await archive.folders(HANDOVER_FOLDER)).filter(isName);
}

/** A copy that is not whole any more, because its run goes on. */
export async function reopenCopy(archive: Archive, uid: string): Promise<void> {
  await archive.delete(`${handoverFolder(uid)}/${LIST}`);
}

export async function deleteCopy(archive: Archive, uid: string): Promise<void> {
  await reopenCopy(archive, uid);
  await deleteFolder(archive, handoverFolder(uid));
}

/**
 * Brings the copy of a run's folder to this machine.
 *
 * @returns whether all of it is here: the logs, too
 * @throws ArchiveError
 */
export async function fetchCopy(archive: Archive, uid: string, folder: string): Promise<boolean> {
  const begin = handoverFolder(uid);
  const list = parseList(await archive.read(`${begin}/${LIST}`));
  const paths = list?.map(({ path }) => path) ?? [...LEDGER_FILES];
  for (const path of paths) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const content = await archive.open(`${begin}/${path}`);
    if (content !== undefined) await pipeline(content, createWriteStream(target, { mode: 0o600 }));
    else if (list !== undefined) await writeFile(target, "", { mode: 0o600 });
  }
  if (list === undefined || (await hasSizes(folder, list))) return list !== undefined;
  await rm(folder, { recursive: true, force: true });
  return false;
}

async function hasSizes(folder: string, list: readonly ListedFile[]): Promise<boolean> {
  for (const { path, size } of list) if ((await stat(join(folder, path))).size !== size) return false;
  return true;
}

interface ListedFile {
  readonly path: string;
  readonly size: number;
}

/** Only names below the folder: whatever is in the archive, nothing else is written here. */
function parseList(content: Buffer | undefined): readonly ListedFile[] | undefined {
  if (content === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(content.toString("utf8"));
    return Array.isArray(value) && value.every(isListed) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isListed(value: unknown): value is ListedFile {
  if (typeof value !== "object" || value === null) return false;
  const { path, size } = value as Readonly<Record<string, unknown>>;
  return typeof path === "string" && path.split("/").every(isName) && Number.isSafeInteger(size);
}
