import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { RecorderClient } from "./recorder-client.ts";

export type EventLogSource = Pick<RecorderClient, "eventLog" | "eventLogFile">;

/**
 * Brings the event log of a run into a folder, if it is not there yet. Spark's history server sees it only when it is whole: until
 * then, its folder has a name that the server leaves out.
 *
 * @returns the name of its folder; `undefined` if none is kept
 * @throws RecorderError, or an error of the file system
 */
export async function fetchEventLog(
  recorder: EventLogSource,
  uid: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const log = await recorder.eventLog(uid);
  if (log === undefined) return undefined;
  const target = join(folder, log.folder);
  if (await isThere(target)) return log.folder;
  const partial = join(folder, `.${log.folder}.partial`);
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  for (const { name } of log.files)
    await pipeline(await recorder.eventLogFile(uid, name), createWriteStream(join(partial, name)), { signal });
  await rename(partial, target);
  return log.folder;
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
