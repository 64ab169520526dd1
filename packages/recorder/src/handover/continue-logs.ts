import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { isName, type RunPlace } from "@kindling/recorder-client";
import type { Archive } from "../archive/archive.ts";
import { logPath, logsFolder } from "../archive/archive-paths.ts";
import type { LogState } from "../spool/log-state.ts";

/** The notice between what two recorders have read. */
const NOTICE =
  "[kindling: another recorder goes on here. It did not know how far this log was read, so lines from above may follow again]\n";

/**
 * Lets the logs of a run go on after the parts that are in the archive.
 *
 * @param ended the logs to which nothing more comes
 * @throws ArchiveError
 */
export async function continueLogs(
  archive: Archive,
  place: RunPlace,
  { folder, ended }: { readonly folder: string; readonly ended: ReadonlySet<string> },
): Promise<void> {
  for (const [name, { parts, bytes }] of await storedLogs(archive, place)) {
    let stored = parts;
    if (!ended.has(name)) await archive.put(logPath(place, name, ++stored), gzipSync(NOTICE));
    const state: LogState = { part: stored + 1, size: 0, stored, bytes };
    const own = join(folder, "logs", name);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, "state.json"), JSON.stringify(state), { mode: 0o600 });
  }
}

interface StoredLog {
  /** The number of the last part. */
  readonly parts: number;
  /** As they are stored: how long they are without compression is not known. */
  readonly bytes: number;
}

async function storedLogs(archive: Archive, place: RunPlace): Promise<ReadonlyMap<string, StoredLog>> {
  const logs = new Map<string, StoredLog>();
  const begin = logsFolder(place);
  for await (const { path, size } of archive.list(begin)) {
    const [, name = "", part = "0"] = /^([^/]+)\/(\d+)\.log\.gz$/.exec(path.slice(begin.length + 1)) ?? [];
    if (!isName(name)) continue;
    const known = logs.get(name) ?? { parts: 0, bytes: 0 };
    logs.set(name, { parts: Math.max(known.parts, Number(part)), bytes: known.bytes + size });
  }
  return logs;
}
