import type { HdfsStatus } from "@kindling/object-store/webhdfs";
import type { Version } from "../document-store.ts";
import type { HdfsFiles } from "./hdfs-files.ts";
import { hdfsReader } from "./hdfs-reader.ts";

/** One state of a document: a file whose name is its number. */
export interface DocumentState {
  readonly number: number;
  readonly file: HdfsStatus;
}

// Old states stay for this time. If they were removed at once, a writer that read one of them long ago could rename its
// own file to a number that was used in between and is free again.
const OLD_STATE_MS = 600_000;

/** The states of a document (its directory), the newest first. */
export async function statesOf(client: HdfsFiles, folder: string): Promise<readonly DocumentState[]> {
  const files = (await client.list(folder)) ?? [];
  return files
    .filter(({ name, type }) => type === "FILE" && /^\d+$/.test(name))
    .map((file) => ({ number: Number(file.name), file }))
    .sort((a, b) => b.number - a.number);
}

/** @returns `undefined` if it has been removed */
export async function readState(
  client: HdfsFiles,
  folder: string,
  { file }: DocumentState,
): Promise<string | undefined> {
  const path = `${folder}/${file.name}`;
  // A state gets its name after all of its bytes: an empty one is damaged, and not incomplete.
  if (file.length === 0) return "";
  const response = await client.open(path, { start: 0, end: file.length });
  if (response === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of hdfsReader(client, path, { start: 0, end: file.length }, response)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** Removes old states, but not the newest of them. */
export async function pruneStates(client: HdfsFiles, folder: string, states: readonly DocumentState[]): Promise<void> {
  for (const { number, file } of states.slice(1)) {
    if (client.serverTime() - file.modified > OLD_STATE_MS) await client.delete(`${folder}/${number}`);
  }
}

/** The number, and the file's own id: a document that was deleted and created again begins at 1. */
export function versionOf({ number, file }: DocumentState): Version {
  return `${number}:${file.fileId}`;
}
