import {
  type KubeObjectLike,
  createBackoff,
  isAlreadyExists,
  isKubeError,
  isNotFound,
  isPassing,
  type KubeClient,
  resources,
} from "@kindling/kube";
import { messageOf } from "@kindling/core-spec";
import { type Outside, sleep } from "@kindling/outside";
import type { ControllerLog } from "./workers.ts";

/** The object that an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/** The contents of an event. */
export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** An event that exists once for each subject, however often it is written; `name` is the last part of its name. */
export interface NamedEvent extends EventText {
  readonly name: string;
}

export interface EventRecorder {
  /** Writes a separate event for each. Does not wait, because nothing depends on these events. */
  record(subject: EventSubject, events: readonly EventText[]): void;
  /**
   * One event that is created once and then updated. Call it again and again while the event is true. It is written when its
   * message changes, at most four times a minute. It is also written again from time to time, because the cluster deletes old
   * events.
   */
  tell(subject: EventSubject, event: NamedEvent): void;
  /**
   * Writes such an event now, whatever was written before.
   *
   * @throws KubeError if that does not work
   */
  tellOnce(subject: EventSubject, event: NamedEvent): Promise<void>;
  /** Forgets the events with this name whose subjects' uids are not among these. */
  keep(name: string, uids: ReadonlySet<string>): void;
  /** Resolves when all recorded events are written or have failed. It no longer waits between tries. */
  flush(): Promise<void>;
}

export interface EventRecorderOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: ControllerLog;
  /** The component that events name as their source. */
  readonly component: string;
}

/** How many events are written at the same time. More events wait, so that they never delay the work that they report. */
const WRITERS = 4;
/** If more events wait, the oldest are dropped: an API server that accepts no events must not fill the memory. */
const MOST_WAITING = 10_000;
/** Kubernetes refuses a longer message. */
const LONGEST_MESSAGE = 1_024;
/** The same number of tries as in client-go's recorder. */
const MOST_TRIES = 12;
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: Number.POSITIVE_INFINITY };
const SEQUENCES = 1_000_000;
const SHORTEST_MS = 15_000;
const EVENTS_LAST_MS = 30 * 60_000;

/** A named event as it was last written. */
interface Line {
  written: string | undefined;
  count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  /** When writing was last tried, by the monotonic clock. */
  tried: number;
}

/** Writes events as client-go's recorder does: objects of `v1` in the namespace of their subject. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  return { ...recordedEvents(options), ...namedEvents(options) };
}

/** Separate events: they wait for one of a few writers, and are tried again. */
function recordedEvents(options: EventRecorderOptions): Pick<EventRecorder, "record" | "flush"> {
  const { clock, random, component } = options;
  const waiting: KubeObjectLike[] = [];
  const writers = new Set<Promise<void>>();
  const flushing = new AbortController();
  let sequence = Math.trunc(random.fraction() * SEQUENCES);

  /** Names are in order of time, like client-go's, and differ from those of other processes. */
  function nameNow(): string {
    sequence = (sequence + 1) % SEQUENCES;
    return (BigInt(clock.now()) * BigInt(SEQUENCES) + BigInt(sequence)).toString(16);
  }

  async function writeAll(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await write(options, next, flushing.signal);
  }

  return {
    record(subject, events) {
      const times = { count: 1, first: clock.now(), last: clock.now() };
      for (const event of events) {
        const name = `${subject.metadata.name.slice(0, 200)}.${nameNow()}`;
        waiting.push(eventObject(subject, event, { component, name, ...times }));
      }
      if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING);
      while (writers.size < WRITERS && writers.size < waiting.length) {
        const writer = writeAll().finally(() => writers.delete(writer));
        writers.add(writer);
      }
    },
    async flush() {
      flushing.abort();
      while (writers.size > 0) await Promise.all(writers);
    },
  };
}

async function write(
  { client, clock, random, log }: EventRecorderOptions,
  object: KubeObjectLike & { readonly reason?: string },
  flushing: AbortSignal,
): Promise<void> {
  const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
  for (let tries = 1; ; tries += 1) {
    try {
      await client.create(resources.events, object);
      return;
    } catch (error) {
      // An earlier attempt succeeded, but its answer was lost.
      if (isAlreadyExists(error)) return;
      if (!isKubeError(error) || !isPassing(error) || tries === MOST_TRIES || flushing.aborted) {
        log.debug("an event could not be written", { reason: object.reason, error: messageOf(error) });
        return;
      }
      await sleep(clock, backoff.next(), flushing);
    }
  }
}

/** Events that exist once for each subject. */
function namedEvents(options: EventRecorderOptions): Pick<EventRecorder, "tell" | "tellOnce" | "keep"> {
  const { clock, log } = options;
  let hasFailed = false;
  const told = new Map<string, Map<string, Line>>();
  return {
    tell(subject, event) {
      const { uid = "" } = subject.metadata;
      const lines = told.get(event.name) ?? new Map<string, Line>();
      told.set(event.name, lines);
      const line = lines.get(uid) ?? newLine(clock.now());
      lines.set(uid, line);
      const age = clock.monotonic() - line.tried;
      if (age < (line.written === event.message ? EVENTS_LAST_MS : SHORTEST_MS)) return;
      line.tried = clock.monotonic();
      tellNow(options, line, subject, event).then(
        () => (hasFailed = false),
        (error: unknown) => {
          // The event is written again and again: of several faults in a row, only the first is a warning.
          const level = hasFailed ? "debug" : "warn";
          hasFailed = true;
          log[level]("an event could not be written", { reason: event.reason, error: messageOf(error) });
        },
      );
    },
    tellOnce: async (subject, event) => await tellNow(options, newLine(clock.now()), subject, event),
    keep(name, uids) {
      const lines = told.get(name);
      for (const uid of lines?.keys() ?? []) if (!uids.has(uid)) lines?.delete(uid);
    },
  };
}

async function tellNow(
  { client, clock, component }: EventRecorderOptions,
  line: Line,
  subject: EventSubject,
  event: NamedEvent,
): Promise<void> {
  const count = line.count + 1;
  const { first } = line;
  const details = { component, name: nameOf(subject, event), count, first, last: clock.now() };
  const object = eventObject(subject, event, details);
  const { message, lastTimestamp, metadata } = object;
  const { name, namespace } = metadata;
  const change = (changes: object) => client.patch(resources.events, name, "merge", changes, { namespace });
  try {
    if (line.written === undefined || !(await isChanged(change({ count, message, lastTimestamp }))))
      await client.create(resources.events, object, { namespace });
  } catch (error) {
    // An earlier process has created it.
    if (!isAlreadyExists(error)) throw error;
    await change({ message, lastTimestamp });
  }
  Object.assign(line, { written: event.message, count });
}

function newLine(now: number): Line {
  return { written: undefined, count: 0, first: now, tried: Number.NEGATIVE_INFINITY };
}

/** @returns false if the event does not exist any more */
async function isChanged(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function nameOf({ metadata: { name, uid = "" } }: EventSubject, event: NamedEvent): string {
  return `${name.slice(0, 200)}.${event.name}-${uid.slice(0, 8)}`;
}

interface EventDetails {
  readonly component: string;
  readonly name: string;
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
}

function eventObject(
  { apiVersion, kind, metadata }: EventSubject,
  { type, reason, message }: EventText,
  { component, name, count, first, last }: EventDetails,
) {
  const { namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: { apiVersion, kind, name: metadata.name, namespace, uid, resourceVersion },
    ...{ type, reason },
    message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message,
    source: { component },
    reportingComponent: component,
    reportingInstance: "",
    firstTimestamp: timeText(first),
    lastTimestamp: timeText(last),
    count,
  };
}

/** RFC 3339 in whole seconds, as in Kubernetes. */
function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
