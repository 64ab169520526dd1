import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "@kindling/outside";
import { readIfThere } from "@kindling/stores";
import type { Archive } from "../archive/archive.ts";
import { LAST_RECORDER } from "../archive/archive-paths.ts";

const FILE = "spool-id";

/** A name of this folder. It goes with the folder, so a process that has lost its folder is another recorder. */
export async function spoolId(folder: string, random: Pick<Random, "uuid">): Promise<string> {
  const path = join(folder, FILE);
  const known = await readIfThere(path);
  if (known !== undefined && known.trim() !== "") return known.trim();
  await writeFile(path, `${random.uuid()}\n`, { mode: 0o600 });
  return (await readFile(path, "utf8")).trim();
}

/**
 * Whether another recorder has recorded since this one did.
 *
 * @throws ArchiveError
 */
export async function isFollowing(archive: Archive, id: string): Promise<boolean> {
  const last = (await archive.read(LAST_RECORDER))?.toString("utf8");
  return last !== undefined && last !== textOf(id);
}

/**
 * Notes in the archive that this recorder records from now on, if that is new.
 *
 * @throws ArchiveError
 */
export async function noteRecorder(archive: Archive, id: string): Promise<void> {
  if ((await archive.read(LAST_RECORDER))?.toString("utf8") === textOf(id)) return;
  await archive.put(LAST_RECORDER, Buffer.from(textOf(id)));
}

function textOf(id: string): string {
  return JSON.stringify({ spool: id });
}
