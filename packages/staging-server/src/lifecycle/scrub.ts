import { sleep, type Clock } from "@kindling/outside";
import { parseDigest, type Digest } from "@kindling/staging-client";
import { documentCollection } from "../metadata/document.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import { isNumber, isOptional, isRecord, isText } from "../metadata/shape.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import type { BlobInspections } from "./blob-inspections.ts";

export interface ScrubOptions {
  readonly store: BlobStore;
  readonly documents: DocumentStore;
  /** Blobs that somebody has asked about come first. */
  readonly inspections: BlobInspections;
  readonly serviceClock: ServiceClock;
  readonly timer: Clock;
  /** Time from the beginning of one pass over all blobs to that of the next; 0: no passes. */
  readonly intervalSeconds: number;
  readonly bytesPerSecond: number;
  /** Whether somebody is sending or fetching files. */
  readonly isBusy: () => boolean;
  readonly onBytes: (bytes: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Reads stored blobs again and again, slowly, to find those whose bytes have gone bad. */
export interface Scrub {
  start(): void;
  stop(): Promise<void>;
  /** When all blobs had been read, seconds since the epoch; `undefined` if they never were. */
  readonly lastPass: number | undefined;
}

/** How far it has come. */
interface ScrubRecord {
  /** Service seconds. */
  readonly startedAt: number;
  /** The last blob of this pass; absent between two passes. */
  readonly cursor?: string;
  readonly lastPass?: number;
}

const NAME = "scrub";
const IDLE_MS = 10_000;
const SAVE_EVERY_MS = 300_000;
// While somebody waits for the same disk, it goes at a quarter of its rate.
const BUSY_FACTOR = 4;
const LEAST_PAUSE_MS = 20;

class ScrubStopped extends Error {}

export function scrub(options: ScrubOptions): Scrub {
  const { store, inspections, serviceClock, timer, intervalSeconds, bytesPerSecond } = options;
  const { onBytes, onError } = options;
  const states = documentCollection(
    options.documents,
    "state",
    isRecord<ScrubRecord>({ startedAt: isNumber, cursor: isOptional(isText), lastPass: isOptional(isNumber) }),
  );
  const stopped = new AbortController();
  let state: ScrubRecord | undefined;
  let savedAt = -Infinity;
  let running: Promise<void> = Promise.resolve();

  async function save(next: ScrubRecord): Promise<void> {
    state = next;
    savedAt = timer.monotonic();
    // Where it was when the server stopped need not be known exactly, and matters to nobody on a full disk.
    const saved = await states.update(NAME, () => next, { relaxed: true }).catch(onError);
    if (saved === undefined) await states.create(NAME, next, { relaxed: true }).catch(() => undefined);
  }

  function pace(): (bytes: number) => Promise<void> {
    let debtMs = 0;
    let last = timer.monotonic();
    return async (bytes) => {
      onBytes(bytes);
      const now = timer.monotonic();
      const cost = (bytes / bytesPerSecond) * 1000 * (options.isBusy() ? BUSY_FACTOR : 1);
      debtMs = Math.max(0, debtMs + cost - (now - last));
      last = now;
      if (debtMs > LEAST_PAUSE_MS) await sleep(timer, debtMs, stopped.signal);
      if (stopped.signal.aborted) throw new ScrubStopped("the server is stopping");
    };
  }

  async function look(digest: Digest): Promise<void> {
    try {
      await store.verify?.(digest, pace());
    } catch (error) {
      if (error instanceof ScrubStopped) throw error;
      // The disk is away, or that file is: the others are worth a look all the same.
      onError(error);
    }
  }

  async function askedFor(): Promise<void> {
    for (let digest = inspections.next(); digest !== undefined; digest = inspections.next()) await look(digest);
  }

  async function passOver(begun: ScrubRecord): Promise<void> {
    const after = begun.cursor === undefined ? undefined : parseDigest(begun.cursor);
    for await (const { digest } of store.list(after)) {
      await look(digest);
      await askedFor();
      state = { ...begun, cursor: digest };
      if (timer.monotonic() - savedAt > SAVE_EVERY_MS) await save(state);
    }
    await save({ startedAt: begun.startedAt, lastPass: timer.now() / 1000 });
  }

  /** The pass that is to be gone on with or to be begun; `undefined` if it is not time yet. */
  function due(): ScrubRecord | undefined {
    const now = serviceClock.seconds();
    if (state?.cursor !== undefined) return state;
    if (state !== undefined && now - state.startedAt < intervalSeconds) return undefined;
    return { ...state, startedAt: now };
  }

  async function run(): Promise<void> {
    state = (await states.get(NAME))?.value;
    for (;;) {
      await sleep(timer, Math.min(IDLE_MS, intervalSeconds * 1000), stopped.signal);
      if (stopped.signal.aborted) return;
      try {
        await askedFor();
        const pass = due();
        if (pass !== undefined) await passOver(pass);
      } catch (error) {
        if (!(error instanceof ScrubStopped)) onError(error);
      }
    }
  }

  return {
    start() {
      if (intervalSeconds > 0 && store.verify !== undefined) running = run().catch(onError);
    },
    async stop() {
      stopped.abort();
      await running;
      if (state?.cursor !== undefined) await save(state);
    },
    get lastPass() {
      return state?.lastPass;
    },
  };
}
