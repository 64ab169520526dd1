import type { Clock } from "@kindling/outside";
import { type ApplicationRecord, hasEnded } from "../applications/application-record.ts";
import type { Applications } from "../applications/applications.ts";
import type { ChangeLog } from "../applications/change-log.ts";

export interface EventSource {
  readonly applications: Applications;
  readonly changes: ChangeLog;
  /** Tells this run of the service from others: the numbers of changes begin anew with each. */
  readonly run: string;
  readonly clock: Clock;
}

export interface EventOptions {
  /** The `Last-Event-ID` of a client that comes back. */
  readonly lastEventId: string | undefined;
  /** Which applications the client wants and may see; asked at each of them. */
  readonly isWanted: (record: ApplicationRecord) => Promise<boolean>;
  /** Whether the stream ends with the one application that it is about. */
  readonly endsWithApplication: boolean;
  readonly signal: AbortSignal;
}

/** So often something is said, so that nothing on the way takes a silent stream for a dead one. */
const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events (HTML, 9.2). Who comes back with `Last-Event-ID` is told what has changed since; where that is not kept
 * any more, and at first, `reset` says that all follow anew as `application` events, and `current` that those were all.
 * Readers wait at the changes that are kept for all of them: one that is slow takes no memory, and is told all anew at worst.
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

/** Whether a client that comes back has yet to be told something about an application. */
export function hasMissed({ changes, run }: EventSource, lastEventId: string, applicationId: string): boolean {
  const position = positionOf(lastEventId, run);
  if (position === undefined || !changes.keepsAllAfter(position)) return true;
  for (let number = position + 1; number <= changes.last; number++) {
    if (changes.at(number)?.application.id === applicationId) return true;
  }
  return false;
}

/** Waits for a change, but not for ever. */
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
