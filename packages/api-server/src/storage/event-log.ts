import type { StoredObject } from "./stored-object.ts";

export type EventType = "ADDED" | "MODIFIED" | "DELETED";

/** One write. For a deletion `object` is the last state, with the revision of the deletion. */
export interface StoreEvent {
  readonly type: EventType;
  readonly revision: number;
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
}

/** How much history a log keeps; the limit that is reached first counts. */
export interface LogLimits {
  readonly events: number;
  readonly bytes: number;
}

/**
 * The last writes to one collection, in order. Readers hold a position and have no queue, so that a slow reader costs
 * nothing. A reader that falls behind the window has lost its place.
 */
export class EventLog {
  readonly #limits: LogLimits;
  #events: (StoreEvent | undefined)[] = [];
  /** Where the kept events begin in `#events`; older ones are removed from time to time, not one by one. */
  #start = 0;
  #startPosition = 0;
  #bytes = 0;
  #compactedRevision: number;
  /** The end of the log at the last call of `age`. */
  #aged = 0;

  constructor(limits: LogLimits, revision: number) {
    this.#limits = limits;
    this.#compactedRevision = revision;
  }

  /** The oldest revision from which a watch can continue. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  /** The position after the last event. */
  get end(): number {
    return this.#startPosition + this.#events.length - this.#start;
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
    this.#bytes += sizeOf(event);
    while (this.#events.length - this.#start > this.#limits.events || this.#bytes > this.#limits.bytes) this.#drop();
    if (this.#start > 1024 && this.#start * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#start);
      this.#start = 0;
    }
  }

  /** Forgets all events: a watch can only continue from `revision`. */
  compact(revision: number): void {
    this.#startPosition = this.end;
    this.#events = [];
    this.#start = 0;
    this.#bytes = 0;
    this.#compactedRevision = revision;
  }

  /** Forgets the events that were there at the last call. Regular calls limit the age of the kept events. */
  age(): void {
    while (this.#startPosition < this.#aged) this.#drop();
    this.#aged = this.end;
    if (!this.isEmpty) return;
    this.#events = [];
    this.#start = 0;
  }

  /** Whether the present events may be dropped after a few more events. */
  get isNearlyFull(): boolean {
    const { events, bytes } = this.#limits;
    return this.#bytes * 2 > bytes || (this.#events.length - this.#start) * 2 > events;
  }

  get isEmpty(): boolean {
    return this.#start === this.#events.length;
  }

  /** The event at a position; `undefined` if it is no longer there, or not yet. */
  at(position: number): StoreEvent | undefined {
    if (position < this.#startPosition) return undefined;
    return this.#events[position - this.#startPosition + this.#start];
  }

  /** Whether a position is still within the window. */
  holds(position: number): boolean {
    return position >= this.#startPosition;
  }

  /** The position of the first event after a revision; `undefined` if that is no longer known. */
  positionAfter(revision: number): number | undefined {
    if (revision < this.#compactedRevision) return undefined;
    let low = this.#start;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#startPosition + low - this.#start;
  }

  #drop(): void {
    const event = this.#events[this.#start];
    if (event === undefined) return;
    this.#bytes -= sizeOf(event);
    this.#compactedRevision = event.revision;
    // The slot stays until the next cut, and would keep the objects in memory.
    this.#events[this.#start] = undefined;
    this.#start += 1;
    this.#startPosition += 1;
  }
}

// For a deletion, nothing else holds the last state in memory, and nothing else holds the state before it.
function sizeOf({ type, object, previous }: StoreEvent): number {
  return type === "DELETED" ? object.bytes.length + (previous?.bytes.length ?? 0) : object.bytes.length;
}
