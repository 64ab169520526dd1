import type { Readable } from "node:stream";
import type { Stage } from "@kindling/recorder-client";
import { eventsIndex } from "../spool/event-file-names.ts";
import type { SpooledEventFile } from "../spool/event-log-spool.ts";
import { eventLines } from "./event-lines.ts";
import { STAGE_EVENTS, stageOfEvent } from "./stage-of-event.ts";

/** Of an application with more of them, those are kept that took the most time of executors. */
const MOST_STAGES = 2_000;

/**
 * The stages of the latest event log of a driver, in their order. Only the lines about stages are parsed: most of an event log is
 * about tasks.
 *
 * @param open opens a file; `undefined` if it is not there
 */
export async function stagesOfLog(
  files: readonly SpooledEventFile[],
  open: (file: SpooledEventFile) => Promise<Readable | undefined>,
): Promise<readonly Stage[]> {
  const found = new Map<string, Stage>();
  const latest = files.at(-1)?.log;
  const ofLatest = files.filter(({ log, name }) => log === latest && eventsIndex(name) > 0);
  for (const file of ofLatest.toSorted((a, b) => eventsIndex(a.name) - eventsIndex(b.name))) {
    for await (const line of eventLines(file.name, () => open(file), STAGE_EVENTS)) {
      const stage = stageOfEvent(line);
      if (stage !== undefined) found.set(`${stage.id}.${stage.attempt}`, stage);
      if (found.size >= 2 * MOST_STAGES) dropSmallest(found);
    }
  }
  dropSmallest(found);
  return [...found.values()].toSorted((a, b) => a.id - b.id || a.attempt - b.attempt);
}

function dropSmallest(found: Map<string, Stage>): void {
  const bySize = [...found].toSorted(([, a], [, b]) => b.executorTime - a.executorTime);
  for (const [key] of bySize.slice(MOST_STAGES)) found.delete(key);
}
