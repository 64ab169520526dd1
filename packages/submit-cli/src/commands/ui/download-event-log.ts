import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { KindlingError, messageOf } from "@kindling/core-spec";
import { type EventLogSource, fetchEventLog, RecorderError } from "@kindling/recorder-client";

/**
 * Brings the event log of a run into a folder of this machine, as Spark's history server reads it.
 *
 * @returns the path of the event log's own folder
 * @throws RecorderError, or KindlingError if it is not kept any more, or a file cannot be written
 */
export async function downloadEventLog(
  recorder: EventLogSource,
  uid: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<string> {
  let name: string | undefined;
  try {
    await mkdir(folder, { recursive: true });
    name = await fetchEventLog(recorder, uid, { folder, signal });
  } catch (error) {
    if (error instanceof RecorderError) throw error;
    throw new KindlingError("FILE_UNREADABLE", `${folder}: ${messageOf(error)}`, { cause: error });
  }
  if (name === undefined)
    throw new KindlingError("OBJECT_NOT_FOUND", "the recorder does not keep this event log any more");
  return join(folder, name);
}
