import type { KubeObject } from "@kindling/kube-objects";
import type { Clock } from "@kindling/outside";
import type { Selection } from "../operations/selection.ts";
import type { Collection } from "../storage/collection.ts";
import type { EventType, StoreEvent } from "../storage/event-log.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { EventPieces, WatchSink } from "./watch-sink.ts";

const BATCH_BYTES = 64 * 1024;
/** The real server sends a bookmark about once a minute. */
const BOOKMARK_INTERVAL = 60_000;
/**
 * How long a client may read nothing although data waits. During this time it uses memory: the objects with which the watch
 * began.
 */
const STALLED = 60_000;
/** How long before its end a watch sends a last bookmark. */
const LAST_BOOKMARK = 2000;

export interface WatchOptions {
  /** The first objects, as ADDED events. */
  readonly initial: readonly StoredObject[];
  /** The position in the log from which to continue. */
  readonly position: number;
  /** The revision of the initial objects: events up to it are not sent. */
  readonly revision: number;
  readonly bookmarks: boolean;
  /** Whether a bookmark tells the client that the initial objects are complete. */
  readonly bookmarkInitialEnd: boolean;
  readonly timeout: number;
  /** Encodes an event, without the line end. */
  readonly encode: (type: EventType, stored: StoredObject, first: boolean) => Buffer | string;
  readonly encodeBookmark: (revision: number, initialEnd: boolean) => string;
  /** Whether this client must miss the event. */
  readonly hides: (event: StoreEvent) => boolean;
  /** The last revision of the store, for bookmarks. */
  readonly currentRevision: () => number;
}

const OPEN: Readonly<Record<EventType | "BOOKMARK", Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
};
const CLOSE = Buffer.from("}\n");
/** An event that this client does not see. */
const UNSEEN: EventPieces = [];

/**
 * One watch. It reads the collection's log at its own pace, in batches, as fast as the client reads. If it needs events that
 * the log no longer keeps, the stream ends and the client must begin again.
 */
export class Watcher {
  readonly #collection: Collection;
  readonly #selection: Selection;
  readonly #sink: WatchSink;
  readonly #options: Omit<WatchOptions, "initial">;
  readonly #stops: (() => void)[] = [];
  /** The initial objects that must still be sent, the last first. Sent objects are not kept in memory. */
  readonly #initial: StoredObject[];
  #initialEndSent: boolean;
  #position: number;
  #first = true;
  #scheduled = false;
  #blocked = false;
  #ended = false;
  #clock: Clock | undefined;
  #stalled: () => void = () => undefined;

  constructor(collection: Collection, selection: Selection, sink: WatchSink, { initial, ...options }: WatchOptions) {
    this.#collection = collection;
    this.#selection = selection;
    this.#sink = sink;
    this.#options = options;
    this.#initial = [...initial].reverse();
    this.#position = options.position;
    this.#initialEndSent = !options.bookmarkInitialEnd;
  }

  start(clock: Clock): void {
    this.#clock = clock;
    this.#stops.push(
      this.#collection.subscribe(() => this.#schedule()),
      clock.after(this.#options.timeout, () => this.end()),
    );
    if (this.#options.bookmarks) {
      this.#repeatBookmarks(clock);
      this.#stops.push(clock.after(this.#options.timeout - LAST_BOOKMARK, () => this.#sendBookmark()));
    }
    this.#sink.onDrain(() => {
      this.#stalled();
      this.#blocked = false;
      this.#pump();
    });
    this.#sink.onClose(() => this.#stop());
    this.#pump();
  }

  /** Ends the stream; the client continues with a new watch. */
  end(): void {
    if (this.#ended) return;
    this.#stop();
    this.#sink.end();
    // The client must read the end, too.
    if (this.#blocked) this.#cutIfStalled();
  }

  #stop(): void {
    this.#ended = true;
    for (const stop of this.#stops.splice(0)) stop();
    this.#stalled();
  }

  #schedule(): void {
    // A client that reads as fast as it can must not lose its place because many events came at once.
    if (this.#collection.log.isNearlyFull) this.#pump();
    else this.#pumpLater();
  }

  #pumpLater(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Writes of one turn of the event loop are sent together.
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (!this.#ended && !this.#blocked) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      this.#write(batch);
    }
  }

  #write(events: readonly EventPieces[]): void {
    this.#blocked = !this.#sink.write(events);
    if (this.#blocked) this.#cutIfStalled();
  }

  #cutIfStalled(): void {
    this.#stalled();
    this.#stalled = this.#clock?.after(STALLED, () => this.#sink.cut()) ?? this.#stalled;
  }

  #nextBatch(): EventPieces[] {
    const batch: EventPieces[] = [];
    let size = 0;
    while (size < BATCH_BYTES) {
      const event = this.#nextEvent();
      if (event === undefined) break;
      if (event === UNSEEN) continue;
      batch.push(event);
      for (const piece of event) size += piece.length;
    }
    return batch;
  }

  // Undefined: nothing to send now.
  #nextEvent(): EventPieces | undefined {
    const initial = this.#initial.pop();
    if (initial !== undefined) return this.#encode("ADDED", initial);
    if (!this.#initialEndSent) {
      this.#initialEndSent = true;
      return line("BOOKMARK", this.#options.encodeBookmark(this.#options.revision, true));
    }
    if (!this.#collection.log.holds(this.#position)) {
      this.end();
      return undefined;
    }
    const event = this.#collection.log.at(this.#position);
    if (event === undefined) return undefined;
    this.#position += 1;
    const isPast = event.revision <= this.#options.revision;
    return isPast || this.#options.hides(event) ? UNSEEN : this.#translate(event);
  }

  // With a selector, a change of an object's labels can make it appear or disappear.
  #translate(event: StoreEvent): EventPieces {
    const sees = (object: KubeObject | undefined): boolean =>
      object !== undefined && this.#inNamespace(object) && this.#selection.matches(object);
    const before = event.previous !== undefined && sees(event.previous.object);
    const after = event.type !== "DELETED" && sees(event.object.object);
    if (after) return this.#encode(before ? "MODIFIED" : "ADDED", event.object);
    if (!before || event.previous === undefined) return UNSEEN;
    return this.#encode(
      "DELETED",
      event.type === "DELETED" ? event.object : event.previous.withRevision(event.revision),
    );
  }

  #inNamespace(object: KubeObject): boolean {
    return this.#selection.namespace === undefined || object.metadata.namespace === this.#selection.namespace;
  }

  #encode(type: EventType, stored: StoredObject): EventPieces {
    const object = this.#options.encode(type, stored, this.#first);
    this.#first = false;
    return line(type, object);
  }

  #repeatBookmarks(clock: Clock): void {
    let cancel = (): void => undefined;
    const next = (): void => {
      cancel = clock.after(BOOKMARK_INTERVAL, () => {
        this.#sendBookmark();
        next();
      });
    };
    next();
    this.#stops.push(() => cancel());
  }

  #sendBookmark(): void {
    const caughtUp = this.#initialEndSent && this.#position === this.#collection.log.end;
    const revision = this.#options.currentRevision();
    if (this.#ended || this.#blocked || !caughtUp || revision < this.#options.revision) return;
    this.#write([line("BOOKMARK", this.#options.encodeBookmark(revision, false))]);
  }
}

function line(type: EventType | "BOOKMARK", object: Buffer | string): EventPieces {
  return [OPEN[type], typeof object === "string" ? Buffer.from(object) : object, CLOSE];
}
