import { sleep } from "@kindling/outside";
import { parseDigest, type Digest } from "@kindling/staging-client";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { BlobStore } from "../stores/blob-store.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import type { BlobInspections } from "./blob-inspections.ts";
import { scrubPace, ScrubStopped, type ScrubPaceOptions } from "./scrub-pace.ts";
import { scrubProgress, type ScrubRecord } from "./scrub-progress.ts";

export interface ScrubOptions extends ScrubPaceOptions {
  readonly store: BlobStore;
  readonly documents: DocumentStore;
  /** Blobs that clients have reported come first. */
  readonly inspections: BlobInspections;
  readonly serviceClock: ServiceClock;
  /** Time from the start of one pass over all blobs to the start of the next; 0: no passes. */
  readonly intervalSeconds: number;
  readonly onError: (error: unknown) => void;
}

/** Reads stored blobs again and again, slowly, to find those whose bytes have gone bad. */
export interface Scrub {
  start(): void;
  stop(): Promise<void>;
  /** When all blobs had been read, seconds since the epoch; `undefined` if they never were. */
  readonly lastPass: number | undefined;
}

const IDLE_MS = 10_000;

export function scrub(options: ScrubOptions): Scrub {
  const { store, inspections, serviceClock, timer, intervalSeconds, onError } = options;
  const progress = scrubProgress(options.documents, timer, onError);
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();

  async function look(digest: Digest): Promise<void> {
    try {
      await store.verify?.(digest, scrubPace(options, stopped.signal));
    } catch (error) {
      if (error instanceof ScrubStopped) throw error;
      // The disk or this file cannot be read: the other files are still checked.
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
      await progress.reached({ ...begun, cursor: digest });
    }
    await progress.save({ startedAt: begun.startedAt, lastPass: timer.now() / 1000 });
  }

  /** The pass to continue or to begin; `undefined` if it is not time yet. */
  function due(): ScrubRecord | undefined {
    const now = serviceClock.seconds();
    const state = progress.now;
    if (state?.cursor !== undefined) return state;
    if (state !== undefined && now - state.startedAt < intervalSeconds) return undefined;
    return { ...state, startedAt: now };
  }

  async function run(): Promise<void> {
    await progress.load();
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
      if (progress.now?.cursor !== undefined) await progress.save(progress.now);
    },
    get lastPass() {
      return progress.now?.lastPass;
    },
  };
}
