import type { CollectReport } from "@kindling/staging-client";
import { attempt } from "./attempt.ts";
import { collectBundles } from "./collect-bundles.ts";
import type { Collector, CollectorContext } from "./collector.ts";
import type { Election } from "../replicas/election.ts";

export interface CleaningContext extends CollectorContext {
  readonly election: Election;
  readonly intervalSeconds: number;
  readonly onReport: (report: CollectReport) => void;
}

// Blobs stay for their grace period in any case, so a listing of the whole store in each round is not worth its cost.
const BLOBS_EVERY_ROUNDS = 10;

/** One round of the cleaner: the server in charge deletes; every other server only reads what it needs to know. */
export function cleaningRound(context: CleaningContext, collector: Collector): () => Promise<void> {
  const { election, clock, timer, intervalSeconds, graceSeconds } = context;
  let rounds = 0;
  let nextLook = 0;

  async function followOthers(): Promise<void> {
    await attempt(context, "index", () => context.index.refresh());
    const staySeconds = graceSeconds + 2 * BLOBS_EVERY_ROUNDS * intervalSeconds + clock.slackSeconds;
    await attempt(context, "counts", () => context.onCollected(staySeconds));
  }

  async function clean(): Promise<void> {
    // If this only reads memory, expired leases make room at once.
    if (!context.bundles.shared) await attempt(context, "leases", () => context.leases.expire());
    if (rounds++ % BLOBS_EVERY_ROUNDS === 0) {
      await attempt(context, "collection", async () => context.onReport(await collector.collect(false)));
    } else {
      await attempt(context, "bundles", async () => {
        const bundlesDeleted = await collectBundles(context, false);
        context.onReport({ ...NOTHING, bundlesDeleted });
      });
    }
  }

  return async () => {
    await attempt(context, "clock", () => clock.synchronise(election.inCharge()));
    await attempt(context, "readers", () => context.readers.announce());
    await attempt(context, "uses", () => context.uses.catchUp());
    await attempt(context, "counts", () => countOthers(context));
    if (!election.inCharge()) {
      await followOthers();
      return;
    }
    if (timer.monotonic() < nextLook) return;
    nextLook = timer.monotonic() + intervalSeconds * 1000;
    await clean();
  };
}

async function countOthers({ leases, sessions }: CleaningContext): Promise<void> {
  await leases.countOthers();
  await sessions.countOthers();
}

const NOTHING: CollectReport = {
  dryRun: false,
  bundlesDeleted: [],
  blobsCondemned: 0,
  blobsDeleted: 0,
  bytesFreed: 0,
  uploadsDropped: 0,
};
