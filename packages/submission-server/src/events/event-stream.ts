import type { Clock } from "@kindling/outside";
import { type ApplicationRecord, hasEnded } from "../applications/application-record.ts";
import type { Applications } from "../applications/applications.ts";
import type { ChangeLog } from "../applications/change-log.ts";

export interface EventSource {
  readonly applications: Applications;
  readonly changes: ChangeLog;
  /** Distinguishes this run of the service from others: the numbers of changes start again with each run. */
  readonly run: string;
  readonly clock: Clock;
}

export interface EventOptions {
  /** The `Last-Event-ID` of a client that reconnects. */
  readonly lastEventId: string | undefined;
  /** Which applications the client wants and may see; called for each of them. */
  readonly isWanted: (record: ApplicationRecord) => Promise<boolean>;
  /** Whether the stream ends when its one application ends. */
  readonly endsWithApplication: boolean;
  readonly signal: AbortSignal;
}

/** Something is sent this often, so that proxies do not close a silent stream. */
const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events (HTML, 9.2). A client that reconnects with `Last-Event-ID` gets the changes since then. If these are no
 * longer kept, and for a new client, `reset` says that all applications follow again as `application` events, and `current`
 * marks the end of them. All readers share the kept changes: a slow reader takes no memory, and in the worst case gets
 * everything again.
 */
export async function* eventStream(source: EventSource, options: EventOptions): AsyncGenerator<string, void> {
  const { applications, changes, run, clock } = source;
  const { isWanted, endsWithApplication, signal } = options;
  let position = positionOf(options.lastEventId, run);
  while (!signal.aborted) {
    if (position === undefined || !changes.keepsAllAfter(position)) {
      position = changes.last;
      yield eventText("reset", {});
      let end = false;
      for (const record of [...applications.all()]) {
        if (!(await isWanted(record))) continue;
        yield eventText("application", record);
        end ||= hasEnded(record);
      }
      yield eventText("current", {}, `${run}-${position}`);
      if (end && endsWithApplication) return;
    }
    for (let next = changes.at(position + 1); next !== undefined; next = changes.at(position + 1)) {
      position = next.number;
      if (!(await isWanted(next.application))) continue;
      const kind = next.kind === "gone" ? "gone" : "application";
      yield eventText(kind, next.application, `${run}-${position}`);
      if (endsWithApplication && (kind === "gone" || hasEnded(next.application))) return;
    }
    if (position < changes.last) continue;
    if (!(await hasNews(changes, clock, signal))) yield ":\n\n";
  }
}

/** Whether a client that reconnects has missed an event of an application. */
export function hasMissed({ changes, run }: EventSource, lastEventId: string, applicationId: string): boolean {
  const position = positionOf(lastEventId, run);
  if (position === undefined || !changes.keepsAllAfter(position)) return true;
  for (let number = position + 1; number <= changes.last; number++) {
    if (changes.at(number)?.application.id === applicationId) return true;
  }
  return false;
}

/** Waits for a change, with a time limit. */
async function hasNews(changes: ChangeLog, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const undo: (() => void)[] = [];
  try {
    return await new Promise<boolean>((resolve) => {
      const onAbort = (): void => resolve(false);
      signal.addEventListener("abort", onAbort);
      undo.push(
        changes.onChange(() => resolve(true)),
        clock.after(HEARTBEAT_MS, () => resolve(false)),
        () => signal.removeEventListener("abort", onAbort),
      );
    });
  } finally {
    for (const step of undo) step();
  }
}

function positionOf(id: string | undefined, run: string): number | undefined {
  const [, ofRun, number] = /^(.+)-(\d{1,15})$/.exec(id ?? "") ?? [];
  return ofRun === run ? Number(number) : undefined;
}

function eventText(event: string, data: object, id?: string): string {
  const lines = [`event: ${event}`, ...(id === undefined ? [] : [`id: ${id}`]), `data: ${JSON.stringify(data)}`];
  return `${lines.join("\n")}\n\n`;
}
