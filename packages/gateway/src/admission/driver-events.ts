import type { KubeObject } from "@kindling/api-server";
import { isAlreadyExists, isNotFound, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Log } from "@kindling/service";
import { UPSTREAM } from "../upstream/upstream-types.ts";
import { podEvent } from "./pod-event.ts";

/** What such events are about: their reason, and the last part of their name. */
export interface EventKind {
  readonly reason: "AwaitingAdmission" | "ExecutorsPreempted";
  readonly name: "waits" | "gave-way";
}

export interface DriverEventsOptions {
  readonly kind: EventKind;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** What is written about one driver. */
interface Line {
  written: string | undefined;
  count: number;
  /** Milliseconds since the epoch. */
  readonly first: number;
  /** When writing was last tried, on the clock that only goes forward. */
  tried: number;
}

/** One driver's event is written no more often, whatever changes; and again after so long, since events are forgotten. */
const SHORTEST_MS = 15_000;
const EVENTS_LAST_MS = 30 * 60_000;

/** A Kubernetes event of one kind on each driver that there is something to tell of; made once, and changed after that. */
export class DriverEvents {
  readonly #options: DriverEventsOptions;
  readonly #lines = new Map<string, Line>();
  #hasFailed = false;

  constructor(options: DriverEventsOptions) {
    this.#options = options;
  }

  /** What is to be told of a driver. Called again and again while it holds. */
  tell(driver: KubeObject, words: string): void {
    const { clock } = this.#options;
    const { uid } = driver.metadata;
    const known = this.#lines.get(uid);
    const line = known ?? { written: undefined, count: 0, first: clock.now(), tried: Number.NEGATIVE_INFINITY };
    this.#lines.set(uid, line);
    const age = clock.monotonic() - line.tried;
    if (age < (line.written === words ? EVENTS_LAST_MS : SHORTEST_MS)) return;
    line.tried = clock.monotonic();
    void this.#write(line, driver, words);
  }

  /** Forgets the drivers that are not among these. */
  keep(uids: ReadonlySet<string>): void {
    for (const uid of this.#lines.keys()) if (!uids.has(uid)) this.#lines.delete(uid);
  }

  async #write(line: Line, driver: KubeObject, words: string): Promise<void> {
    const { clock, log, kind } = this.#options;
    try {
      await this.#send(line, eventOf(kind, driver, words, line, clock.now()));
      line.written = words;
      line.count += 1;
      this.#hasFailed = false;
    } catch (error) {
      // What people would have read there stands in the overview as well.
      if (!this.#hasFailed) log.warn("an event for a driver cannot be written", { error: String(error) });
      this.#hasFailed = true;
    }
  }

  async #send(line: Line, event: KubeObject): Promise<void> {
    const { client } = this.#options;
    const { name, namespace } = event.metadata;
    const { count, message, lastTimestamp } = event;
    if (line.written !== undefined) {
      try {
        await client.patch(UPSTREAM.events, name, "merge", { count, message, lastTimestamp }, { namespace });
        return;
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    try {
      await client.create(UPSTREAM.events, event, { namespace });
    } catch (error) {
      // An earlier gateway has made it.
      if (!isAlreadyExists(error)) throw error;
      await client.patch(UPSTREAM.events, name, "merge", { message, lastTimestamp }, { namespace });
    }
  }
}

function eventOf(
  { reason, name }: EventKind,
  driver: KubeObject,
  words: string,
  { count, first }: Line,
  now: number,
): KubeObject {
  return podEvent(driver, { name, reason, message: words, count: count + 1, first, last: now });
}
