import { createBackoff, isAlreadyExists, resources, type KubeClient, type KubeObject } from "@kindling/kube";
import { sleep, type Clock, type Random } from "@kindling/outside";
import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import type { ApplicationMeta } from "../api/v1beta2/spark-application.ts";
import type { ApplicationEvent } from "../reconcile/application-event.ts";
import { isPassing } from "./passing-fault.ts";

/** What events are about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ApplicationMeta;
}

export interface EventRecorder {
  /** Does not wait: what an application goes through does not depend on it. */
  record(subject: EventSubject, events: readonly ApplicationEvent[]): void;
  /** Resolves when all that was recorded is written, or could not be; nothing is waited for any more. */
  flush(): Promise<void>;
}

export interface EventRecorderOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The name that stock's operator signs with. */
  readonly component: "spark-application-controller" | "scheduled-spark-application-controller";
}

/** So many events are written at a time; further ones wait, so that they never hold up what they tell of. */
const WRITERS = 4;
/** Beyond so many the oldest are dropped: an API server that takes no events must not fill the memory. */
const MOST_WAITING = 10_000;
/** Kubernetes cuts notes of events at this length. */
const LONGEST_MESSAGE = 1_024;

/** As often as client-go's recorder tries. */
const MOST_TRIES = 12;
const BACKOFF = { baseMs: 500, capMs: 30_000, resetAfterMs: Number.POSITIVE_INFINITY };

const SEQUENCES = 1_000_000;

/** Writes events as client-go's recorder does: objects of `v1` in the namespace of their subject. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, clock, random, log, component } = options;
  const waiting: { readonly subject: EventSubject; readonly event: ApplicationEvent; readonly atMs: number }[] = [];
  const writers = new Set<Promise<void>>();
  const flushing = new AbortController();
  let sequence = Math.trunc(random.fraction() * SEQUENCES);

  /** Names are in the order of time, as client-go's are, and unlike those of another process. */
  function nameAt(atMs: number): string {
    sequence = (sequence + 1) % SEQUENCES;
    return (BigInt(atMs) * BigInt(SEQUENCES) + BigInt(sequence)).toString(16);
  }

  async function writeAll(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await write(eventObject(next.subject, next.event, next.atMs), next.event.reason);
  }

  async function write(object: KubeObject, reason: string): Promise<void> {
    const backoff = createBackoff({ ...BACKOFF, clock, random: () => random.fraction() });
    for (let tries = 1; ; tries += 1) {
      try {
        await client.create(resources.events, object);
        return;
      } catch (error) {
        // An earlier one was carried out, though its answer was lost.
        if (isAlreadyExists(error)) return;
        if (!isPassing(error) || tries === MOST_TRIES || flushing.signal.aborted) {
          log.debug("an event could not be written", { reason, error: messageOf(error) });
          return;
        }
        await sleep(clock, backoff.next(), flushing.signal);
      }
    }
  }

  function eventObject(subject: EventSubject, { type, reason, message }: ApplicationEvent, atMs: number) {
    const { name, namespace, uid, resourceVersion } = subject.metadata;
    const time = `${new Date(atMs).toISOString().slice(0, 19)}Z`;
    return {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: `${name.slice(0, 200)}.${nameAt(atMs)}`, namespace },
      involvedObject: { apiVersion: subject.apiVersion, kind: subject.kind, name, namespace, uid, resourceVersion },
      ...{ type, reason },
      message: message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message,
      source: { component },
      reportingComponent: component,
      reportingInstance: "",
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
  }

  return {
    record(subject, events) {
      for (const event of events) waiting.push({ subject, event, atMs: clock.now() });
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
