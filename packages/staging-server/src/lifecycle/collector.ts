import type { Clock } from "@kindling/outside";
import type { CollectReport } from "@kindling/staging-client";
import type { UploadSessions } from "../ingest/upload-sessions.ts";
import type { Leases } from "../metadata/leases.ts";
import { attempt } from "./attempt.ts";
import { collectBlobs, type CollectBlobsContext, type CollectedBlobs } from "./collect-blobs.ts";
import { collectBundles, type CollectBundlesContext } from "./collect-bundles.ts";

export interface CollectorContext extends CollectBundlesContext, CollectBlobsContext {
  readonly leases: Leases;
  readonly sessions: UploadSessions;
  readonly timer: Clock;
  readonly uploadIdleSeconds: number;
  /** Whether the storage has less free space than it has to keep. */
  readonly isShortOfRoom: () => Promise<boolean>;
  /**
   * Called after blobs have been collected, so that counts of blobs can be updated. If another server deletes, it is
   * called in each round, with the seconds after which that server has deleted blobs without references.
   */
  readonly onCollected: (staySeconds: number) => Promise<void>;
}

/** Deletes all data that is not needed any more. */
export interface Collector {
  /** @param dryRun only reports what would be deleted */
  collect(dryRun: boolean): Promise<CollectReport>;
  /** Totals of the last collection of blobs. */
  readonly totals: CollectedBlobs | undefined;
}

// If there is no room, interrupted uploads are dropped sooner.
const IDLE_WHEN_SHORT_SECONDS = 900;
// A commit writes the manifest first. On a slow disk its record may follow much later, and an administrator may start
// collections one right after the other. So only the age of a manifest shows that no record will come.
const STRAY_MS = 3_600_000;

export function collector(context: CollectorContext): Collector {
  const collectStrays = strayCollection(context);
  let totals: CollectedBlobs | undefined;
  return {
    async collect(dryRun) {
      const bundlesDeleted = await collectBundles(context, dryRun);
      let uploadsDropped = 0;
      if (!dryRun) {
        // If one of these fails, the others still run: each of them frees space.
        await attempt(context, "leases", () => context.leases.expire());
        await attempt(context, "uploads", async () => {
          uploadsDropped = await context.sessions.expire(await idleSeconds(context));
          await context.blobs.store.sweep(await context.sessions.ids());
        });
        await attempt(context, "manifests", collectStrays);
      }
      const collected = await collectBlobs(context, dryRun);
      if (!dryRun) {
        totals = collected;
        await attempt(context, "counts", () => context.onCollected(Infinity));
      }
      const { condemned: blobsCondemned, deleted: blobsDeleted, bytesFreed } = collected;
      return { dryRun, bundlesDeleted, blobsCondemned, blobsDeleted, bytesFreed, uploadsDropped };
    },
    get totals() {
      return totals;
    },
  };
}

async function idleSeconds({ uploadIdleSeconds, isShortOfRoom }: CollectorContext): Promise<number> {
  return (await isShortOfRoom()) ? Math.min(uploadIdleSeconds, IDLE_WHEN_SHORT_SECONDS) : uploadIdleSeconds;
}

/** Manifests of incomplete commits: those that have had no record for long. */
function strayCollection({ bundles, timer }: CollectorContext): () => Promise<void> {
  let strays: ReadonlyMap<string, number> = new Map();
  return async () => {
    const now = timer.monotonic();
    const found = await bundles.strayManifests();
    strays = new Map(found.map((id) => [id, strays.get(id) ?? now]));
    for (const [id, since] of strays) if (now - since >= STRAY_MS) await bundles.deleteManifest(id);
  };
}
