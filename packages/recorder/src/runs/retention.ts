import type { Archive } from "../archive/archive.ts";
import { deleteFolder } from "../archive/delete-folder.ts";
import { eventLogsFolder, runFolder } from "../archive/archive-paths.ts";
import type { History } from "./history.ts";
import type { RunIndex } from "./run-index.ts";
import type { Run } from "@kindling/recorder-client";

/** How long runs of a namespace are kept. A limit that is missing does not count. */
export interface RetentionLimits {
  /** Runs that ended longer ago go. In milliseconds. */
  readonly age?: number | undefined;
  /** The newest runs are kept that need no more than this together, in bytes. */
  readonly bytes?: number | undefined;
}

export interface RetentionOptions {
  readonly archive: Archive;
  readonly history: History;
  readonly index: RunIndex;
  readonly limitsOf: (namespace: string) => RetentionLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** So many runs are deleted together, so that their days of the index are written once. */
const AT_ONCE = 200;

/**
 * Deletes the runs that are too old, or too many. A run leaves the index last: if this is interrupted, the next time deletes the
 * rest of it.
 *
 * @returns how many runs were deleted
 * @throws ArchiveError
 */
export async function deleteExpired(options: RetentionOptions): Promise<number> {
  const { archive, index } = options;
  const expired = expiredRuns(options);
  for (let start = 0; start < expired.length; start += AT_ONCE) {
    const some = expired.slice(start, start + AT_ONCE);
    for (const run of some) await deleteFiles(archive, run);
    await index.remove(some);
  }
  return expired.length;
}

/** The runs that no limit keeps, in the order of their ends. */
function expiredRuns({ history, limitsOf, now }: RetentionOptions): readonly Run[] {
  const kept = new Map<string, number>();
  const expired: Run[] = [];
  for (const run of history.matching({ mayShow: () => true })) {
    const { age = Infinity, bytes = Infinity } = limitsOf(run.namespace);
    const all = (kept.get(run.namespace) ?? 0) + run.bytes;
    kept.set(run.namespace, all);
    if (now() - run.ended > age || all > bytes) expired.push(run);
  }
  return expired.toReversed();
}

async function deleteFiles(archive: Archive, run: Run): Promise<void> {
  const folders = [runFolder(run)];
  if (run.eventLog !== undefined) folders.push(`${eventLogsFolder(run.namespace)}/${run.eventLog}`);
  for (const folder of folders) await deleteFolder(archive, folder);
}
