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

/** What an event is about. */
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

/** What is told. */
export interface EventText {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** An event of which each subject has one, however often it is written; `name` is the last part of its name. */
export interface NamedEvent extends EventText {
  readonly name: string;
}

export interface EventRecorder {
  /** An event of its own for each. Does not wait: what the subject goes through does not depend on it. */
  record(subject: EventSubject, events: readonly EventText[]): void;
  /**
   * One event that is made once and changed after that. Called again and again while it holds: it is written when its
   * message changes, and no more often than four times a minute; and again from time to time, since events are forgotten.
   */
  tell(subject: EventSubject, event: NamedEvent): void;
  /**
   * Writes such an event now, whatever was told before.
   *
   * @throws KubeError if that does not work
   */
  tellOnce(subject: EventSubject, event: NamedEvent): Promise<void>;
  /** Forgets what was told under a name of subjects whose uids are not among these. */
  keep(name: string, uids: ReadonlySet<string>): void;
  /** Resolves when all that was recorded is written, or could not be; nothing is waited for any more. */
  flush(): Promise<void>;
}

export interface EventRecorderOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  readonly log: ControllerLog;
  /** The name that events are signed with. */
  readonly component: string;
}

/** So many events are written at a time; further ones wait, so that they never hold up what they tell of. */
const WRITERS = 4;
/** Beyond so many the oldest are dropped: an API server that takes no events must not fill the memory. */
const MOST_WAITING = 10_000;
/** Kubernetes refuses a longer message. */
const LONGEST_MESSAGE = 1_024;
/** As often as client-go's recorder tries. */
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
  /** When writing was last tried, on the clock that only goes forward. */
  tried: number;
}

/** Writes events as client-go's recorder does: objects of `v1` in the namespace of their subject. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  return { ...recordedEvents(options), ...namedEvents(options) };
}

/** Events of their own: they wait for one of a few writers, and are tried again. */
function recordedEvents(options: EventRecorderOptions): Pick<EventRecorder, "record" | "flush"> {
  const { clock, random, component } = options;
  const waiting: KubeObjectLike[] = [];
  const writers = new Set<Promise<void>>();
  const flushing = new AbortController();
  let sequence = Math.trunc(random.fraction() * SEQUENCES);

  /** Names are in the order of time, as client-go's are, and unlike those of another process. */
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
      // An earlier one was carried out, though its answer was lost.
      if (isAlreadyExists(error)) return;
      if (!isKubeError(error) || !isPassing(error) || tries === MOST_TRIES || flushing.aborted) {
        log.debug("an event could not be written", { reason: object.reason, error: messageOf(error) });
        return;
      }
      await sleep(clock, backoff.next(), flushing);
    }
  }
}

/** Events of which each subject has one. */
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
          // It is told again and again: of faults in a row, the first is enough for people.
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
    // An earlier process has made it.
    if (!isAlreadyExists(error)) throw error;
    await change({ message, lastTimestamp });
  }
  Object.assign(line, { written: event.message, count });
}

function newLine(now: number): Line {
  return { written: undefined, count: 0, first: now, tried: Number.NEGATIVE_INFINITY };
}

/** @returns false if there is no event to be changed any more */
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

/** RFC 3339 in whole seconds, as Kubernetes has times. */
function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
