import type { Clock } from "@kindling/outside";
import type { CollectReport } from "@kindling/staging-client";
import type { UploadSessions } from "../ingest/upload-sessions.ts";
import type { Leases } from "../metadata/leases.ts";
import { SYNCHRONISE_SECONDS } from "../metadata/service-clock.ts";
import { collectBlobs, type CollectBlobsContext, type CollectedBlobs } from "./collect-blobs.ts";
import { collectBundles, type CollectBundlesContext } from "./collect-bundles.ts";
import type { Election } from "./election.ts";

export interface CleanerContext extends CollectBundlesContext, CollectBlobsContext {
  readonly leases: Leases;
  readonly sessions: UploadSessions;
  readonly election: Election;
  readonly timer: Clock;
  readonly intervalSeconds: number;
  readonly uploadIdleSeconds: number;
  /** Whether the storage has less room than it is to keep free. */
  readonly isShortOfRoom: () => Promise<boolean>;
  /**
   * Told when blobs have been collected, so that whatever is counted by them can be looked at; where another server
   * deletes, in each round, with the seconds after which it has deleted what nobody has.
   */
  readonly onCollected: (staySeconds: number) => Promise<void>;
  readonly onReport: (report: CollectReport) => void;
}

/** Deletes what nobody needs any more, for as long as the server runs. */
export interface Cleaner {
  start(): void;
  /** One collection now, of bundles and of blobs. */
  collect(dryRun: boolean): Promise<CollectReport>;
  /** Totals of the last collection of blobs. */
  readonly totals: CollectedBlobs | undefined;
  stop(): Promise<void>;
}

// Uploads that were broken off make room for others sooner where there is none.
const IDLE_WHEN_SHORT_SECONDS = 900;
// Blobs wait for their grace anyway: looking for them is not worth a listing of the whole store in each round.
const BLOBS_EVERY_ROUNDS = 10;
// A commit writes the manifest first. On a slow disk its record may follow much later, and an administrator may ask for
// collections one right after the other: only time tells that no record will come.
const STRAY_MS = 3_600_000;

export function cleaner(context: CleanerContext): Cleaner {
  const { election, clock, timer, intervalSeconds, graceSeconds, onError } = context;
  let totals: CollectedBlobs | undefined;
  let rounds = 0;
  let nextLook = 0;
  let cancel: () => void = () => undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let strays: ReadonlyMap<string, number> = new Map();
  const next = new Map<boolean, Promise<CollectReport>>();

  /** A task that fails is tried again in the next round; the others go on. */
  async function attempt(task: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      onError(task, error);
    }
  }

  async function collect(dryRun: boolean): Promise<CollectReport> {
    const bundlesDeleted = await collectBundles(context, dryRun);
    let uploadsDropped = 0;
    if (!dryRun) {
      // What cannot be done for one of these keeps the others from nothing: each of them frees space.
      await attempt("leases", () => context.leases.expire());
      await attempt("uploads", async () => {
        uploadsDropped = await context.sessions.expire(await idleSeconds());
        await context.blobs.store.sweep(await context.sessions.ids());
      });
      await attempt("manifests", collectStrays);
    }
    const collected = await collectBlobs(context, dryRun);
    if (!dryRun) {
      totals = collected;
      await attempt("counts", () => context.onCollected(Infinity));
    }
    const { condemned: blobsCondemned, deleted: blobsDeleted, bytesFreed } = collected;
    return { dryRun, bundlesDeleted, blobsCondemned, blobsDeleted, bytesFreed, uploadsDropped };
  }

  async function idleSeconds(): Promise<number> {
    const { uploadIdleSeconds, isShortOfRoom } = context;
    return (await isShortOfRoom()) ? Math.min(uploadIdleSeconds, IDLE_WHEN_SHORT_SECONDS) : uploadIdleSeconds;
  }

  /** Manifests of commits that did not come to an end: those that have stood alone for long. */
  async function collectStrays(): Promise<void> {
    const now = timer.monotonic();
    const found = await context.bundles.strayManifests();
    strays = new Map(found.map((id) => [id, strays.get(id) ?? now]));
    for (const [id, since] of strays) if (now - since >= STRAY_MS) await context.bundles.deleteManifest(id);
  }

  async function countOthers(): Promise<void> {
    await context.leases.countOthers();
    await context.sessions.countOthers();
  }

  async function round(): Promise<void> {
    await attempt("clock", () => clock.synchronise(election.inCharge()));
    await attempt("readers", () => context.readers.announce());
    await attempt("uses", () => context.uses.catchUp());
    await attempt("counts", countOthers);
    if (!election.inCharge()) {
      await attempt("index", () => context.index.refresh());
      const staySeconds = graceSeconds + 2 * BLOBS_EVERY_ROUNDS * intervalSeconds + clock.slackSeconds;
      await attempt("counts", () => context.onCollected(staySeconds));
      return;
    }
    if (timer.monotonic() < nextLook) return;
    nextLook = timer.monotonic() + intervalSeconds * 1000;
    // Where it costs a look into memory, what has expired makes room at once.
    if (!context.bundles.shared) await attempt("leases", () => context.leases.expire());
    if (rounds++ % BLOBS_EVERY_ROUNDS === 0) {
      await attempt("collection", async () => context.onReport(await collect(false)));
    } else {
      await attempt("bundles", async () => {
        const bundlesDeleted = await collectBundles(context, false);
        context.onReport({ ...NOTHING, bundlesDeleted });
      });
    }
  }

  function schedule(): void {
    if (stopped) return;
    cancel = timer.after(Math.min(intervalSeconds, SYNCHRONISE_SECONDS) * 1000, () => {
      running = running.then(round).then(schedule);
    });
  }

  return {
    start() {
      running = running.then(round).then(schedule);
    },
    collect(dryRun) {
      // However many ask at once, one collection after the question is enough for all.
      const waiting = next.get(dryRun);
      if (waiting !== undefined) return waiting;
      const mine = running.then(() => {
        next.delete(dryRun);
        return collect(dryRun);
      });
      next.set(dryRun, mine);
      running = mine.catch(() => undefined);
      return mine;
    },
    get totals() {
      return totals;
    },
    async stop() {
      stopped = true;
      cancel();
      await running;
      await attempt("clock", () => clock.synchronise(election.inCharge()));
      await attempt("readers", () => context.readers.withdraw());
    },
  };
}

const NOTHING: CollectReport = {
  dryRun: false,
  bundlesDeleted: [],
  blobsCondemned: 0,
  blobsDeleted: 0,
  bytesFreed: 0,
  uploadsDropped: 0,
};
