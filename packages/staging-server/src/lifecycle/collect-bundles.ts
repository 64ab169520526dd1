import type { CollectReport } from "@kindling/staging-client";
import type { BundleIndex } from "../bundle-index.ts";
import type { BundleUses } from "../bundle-uses.ts";
import type { BundleRecord, Bundles } from "../metadata/bundles.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import { decide, type Decision, type LifePolicy } from "./decide.ts";
import type { OwnerWatch } from "./owner-watch.ts";

export interface CollectBundlesContext {
  readonly bundles: Bundles;
  readonly index: BundleIndex;
  readonly uses: BundleUses;
  readonly owners: OwnerWatch;
  readonly clock: ServiceClock;
  readonly policy: LifePolicy;
  /** Told of what could not be done; the next round tries again. */
  readonly onError: (task: string, error: unknown) => void;
}

/** Looks at every bundle once, and does what `decide` says. */
export async function collectBundles(
  context: CollectBundlesContext,
  dryRun: boolean,
): Promise<CollectReport["bundlesDeleted"]> {
  const { index, owners, clock, policy, bundles, uses } = context;
  await index.refresh();
  if (!dryRun) await bundles.finishDeletions().catch((error: unknown) => context.onError("bundles", error));
  const all = [...index.all()];
  await owners.follow(all.map(({ record }) => record.owner));
  const deleted: { bundleId: string; reason: string }[] = [];
  for (const { record } of all) {
    if (record.state === "deleted" || uses.isPending(record.id)) continue;
    const owner = owners.state(record.owner, record.ownerUid);
    const decision = decide({ ...record, state: record.state }, owner, clock.seconds(), policy);
    try {
      if (decision.action === "delete") {
        // The record is looked at again under compare-and-swap: a download may have made it used meanwhile.
        const gone = dryRun || (await bundles.deleteIf(record.id, (now) => isSame(now, record)));
        if (gone && !dryRun) index.removed(record.id);
        if (gone) deleted.push({ bundleId: record.id, reason: decision.reason });
      } else if (decision.action === "become" && !dryRun) await become(context, record, decision);
    } catch (error) {
      // One bundle of which nothing can be written down keeps no other from going.
      context.onError("bundles", error);
    }
  }
  return deleted;
}

async function become(
  { bundles, index, clock }: CollectBundlesContext,
  seen: BundleRecord,
  { state }: Decision & { action: "become" },
): Promise<void> {
  const changed = await bundles.records.update(seen.id, (now) =>
    isSame(now, seen) ? { ...now, state, since: clock.seconds() } : undefined,
  );
  if (changed !== undefined) index.changed(changed.value);
}

function isSame(now: BundleRecord, seen: BundleRecord): boolean {
  return now.state === seen.state && now.since === seen.since;
}
