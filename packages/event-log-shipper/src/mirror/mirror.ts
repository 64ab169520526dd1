import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import { type Clock, sleep } from "@kindling/outside";
import { type EventLogSource, fetchEventLog, type RecorderClient } from "@kindling/recorder-client";

export interface MirrorOptions {
  readonly recorder: EventLogSource & Pick<RecorderClient, "runs">;
  /** Where Spark's history server looks for event logs. */
  readonly folder: string;
  readonly namespaces: readonly string[];
  /** Event logs of runs that ended longer ago are left out. In milliseconds. */
  readonly ageMs: number;
  /** The pause between two looks at what is kept. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

/** Keeps the event logs of some namespaces in a folder, as the recorder has them, until the signal comes. */
export async function mirror(options: MirrorOptions): Promise<void> {
  const { clock, everyMs, signal, write } = options;
  while (!signal.aborted) {
    try {
      await mirrorOnce(options);
    } catch (error) {
      if (!signal.aborted) write(`the recorder's event logs cannot be brought: ${messageOf(error)}`);
    }
    await sleep(clock, everyMs, signal);
  }
}

/** Brings what is missing in the folder, and deletes what the recorder does not keep any more. */
export async function mirrorOnce(options: Omit<MirrorOptions, "everyMs">): Promise<void> {
  const { recorder, folder, namespaces, ageMs, clock, signal, write } = options;
  const kept = new Set<string>();
  for (const namespace of namespaces) {
    for await (const { uid, eventLog, driver } of recorder.runs({ namespace, since: clock.now() - ageMs })) {
      if (eventLog === undefined || kept.has(eventLog)) continue;
      kept.add(eventLog);
      try {
        await fetchEventLog(recorder, uid, { folder, signal });
      } catch (error) {
        if (signal.aborted) return;
        // The others are worth as much without it. It is tried again the next time.
        write(`the event log of ${namespace}:${driver} cannot be brought: ${messageOf(error)}`);
      }
    }
  }
  for (const name of await readdir(folder))
    if (name.startsWith("eventlog_v2_") && !kept.has(name)) await rm(join(folder, name), { recursive: true });
}
