import type { Stage } from "@kindling/recorder-client";
import type { EventLogSpool, SpooledEventFile } from "../spool/event-log-spool.ts";
import { eventLines } from "./event-lines.ts";
import { STAGE_EVENTS, stageOfEvent } from "./stage-of-event.ts";

/** Of an application with more of them, those are kept that took the most time of executors. */
const MOST_STAGES = 2_000;

/**
 * The stages of the latest event log of a driver, in their order. Only the lines about stages are parsed: most of an event log is
 * about tasks.
 */
export async function stagesOfLog(spool: EventLogSpool): Promise<readonly Stage[]> {
  const found = new Map<string, Stage>();
  const latest = spool.files.at(-1)?.log;
  for (const file of spool.files.filter(({ log }) => log === latest).toSorted((a, b) => indexOf(a) - indexOf(b))) {
    if (indexOf(file) === 0) continue;
    for await (const line of eventLines(spool.pathOf(file), file.name, STAGE_EVENTS)) {
      const stage = stageOfEvent(line);
      if (stage !== undefined) found.set(`${stage.id}.${stage.attempt}`, stage);
      if (found.size >= 2 * MOST_STAGES) dropSmallest(found);
    }
  }
  dropSmallest(found);
  return [...found.values()].toSorted((a, b) => a.id - b.id || a.attempt - b.attempt);
}

/** The number of a file with events; 0 for another one. */
function indexOf({ name }: SpooledEventFile): number {
  return Number(/^events_(\d+)_/.exec(name)?.[1] ?? 0);
}

function dropSmallest(found: Map<string, Stage>): void {
  const bySize = [...found].toSorted(([, a], [, b]) => b.executorTime - a.executorTime);
  for (const [key] of bySize.slice(MOST_STAGES)) found.delete(key);
}
