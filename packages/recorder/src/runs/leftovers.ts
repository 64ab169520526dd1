import { isName } from "@kindling/recorder-client";
import type { Archive } from "../archive/archive.ts";
import { deleteFolder } from "../archive/delete-folder.ts";
import { EVENT_LOGS_FOLDER, eventLogsFolder, RUNS_FOLDER } from "../archive/archive-paths.ts";
import { hashOf } from "./columns.ts";
import type { History } from "./history.ts";
import type { RetentionOptions } from "./retention.ts";

export interface LeftoverOptions extends RetentionOptions {
  /** The folders of the archive that belong to runs that are not stored yet; `undefined` while nobody here knows them. */
  readonly foldersInUse: () => Promise<ReadonlySet<string> | undefined>;
}

/** The store's clock may be wrong. */
const MARGIN_MS = 24 * 3_600_000;

/**
 * Deletes files that belong to no run. Logs are stored while an application runs: if nobody could store the rest, because the
 * recorder's disk and the pods were lost together, no run is in the index, and no other rule deletes these files. They go
 * when they are older than the runs of their namespace may be; without such a limit they stay.
 *
 * @returns how many folders were deleted
 * @throws ArchiveError
 */
export async function deleteLeftovers(options: LeftoverOptions): Promise<number> {
  const { archive, history, limitsOf, now } = options;
  // A run that begins after this has no old files, and one that ends is in the history.
  const inUse = await options.foldersInUse();
  if (inUse === undefined) return 0;
  let count = 0;
  for (const namespace of await namespacesOf(archive)) {
    const { age } = limitsOf(namespace);
    if (age === undefined) continue;
    const place = { archive, latest: now() - age - MARGIN_MS, isKnown: knownFolders(history, namespace, inUse) };
    for (const folder of [
      ...(await unknownFolders(`${RUNS_FOLDER}/${namespace}`, DEPTH_OF_RUN, place)),
      ...(await unknownFolders(eventLogsFolder(namespace), 1, place)),
    ]) {
      await deleteFolder(archive, folder);
      count++;
    }
  }
  return count;
}

/** `DAY/DRIVER/UID` below the folder of the namespace. */
const DEPTH_OF_RUN = 3;

async function namespacesOf(archive: Archive): Promise<ReadonlySet<string>> {
  const folders = [...(await archive.folders(RUNS_FOLDER)), ...(await archive.folders(EVENT_LOGS_FOLDER))];
  return new Set(folders.filter(isName));
}

interface Place {
  readonly archive: Archive;
  /** Folders in which something has changed since this time stay. */
  readonly latest: number;
  readonly isKnown: (folder: string) => boolean;
}

/** The old folders, so deep below another one, that belong to no run. Only of these, something is in memory. */
async function unknownFolders(root: string, depth: number, place: Place): Promise<readonly string[]> {
  const newest = new Map<string, number>();
  for await (const { path, modified } of place.archive.list(root)) {
    const names = path.slice(root.length + 1).split("/");
    const folder = [root, ...names.slice(0, depth)].join("/");
    if (names.length <= depth || place.isKnown(folder)) continue;
    newest.set(folder, Math.max(newest.get(folder) ?? -Infinity, modified));
  }
  return [...newest].flatMap(([folder, modified]) => (modified < place.latest ? [folder] : []));
}

/** Whether a folder of a namespace belongs to a run that is stored, or to one that is not stored yet. */
function knownFolders(history: History, namespace: string, inUse: ReadonlySet<string>): (folder: string) => boolean {
  // Hashes take less memory than texts, and one that two folders have keeps both.
  const eventLogs = new Set<number>();
  for (const { eventLog } of history.matching({ mayShow: () => true, namespace }))
    if (eventLog !== undefined) eventLogs.add(hashOf(`${eventLogsFolder(namespace)}/${eventLog}`));
  return (folder) =>
    inUse.has(folder) || eventLogs.has(hashOf(folder)) || history.has(folder.slice(folder.lastIndexOf("/") + 1));
}
