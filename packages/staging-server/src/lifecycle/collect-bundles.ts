import type { CollectReport } from "@kindling/staging-client";
import type { BundleIndex } from "../bundles/bundle-index.ts";
import type { BundleUses } from "../bundles/bundle-uses.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { AttemptContext } from "./attempt.ts";
import { decide, type Decision, type LifePolicy } from "./decide.ts";
import type { OwnerWatch } from "./owner-watch.ts";

export interface CollectBundlesContext extends AttemptContext {
  readonly bundles: Bundles;
  readonly index: BundleIndex;
  readonly uses: BundleUses;
  readonly owners: OwnerWatch;
  readonly clock: ServiceClock;
  readonly policy: LifePolicy;
}

/** How often in a row the cluster itself must have said that an owner does not run. For a dry run, once is enough. */
const CONFIRMATIONS_NEEDED = { keep: 0, become: 1, delete: 2 } as const;
const CONFIRMATIONS_NEEDED_TO_SAY = 1;

/** Checks every bundle once, and carries out decisions of `decide` that the cluster has confirmed. */
export async function collectBundles(
  context: CollectBundlesContext,
  dryRun: boolean,
): Promise<CollectReport["bundlesDeleted"]> {
  const { index, owners, bundles } = context;
  await index.refresh();
  if (!dryRun) await bundles.finishDeletions().catch((error: unknown) => context.onError("bundles", error));
  const all = [...index.all()].map(({ record }) => record);
  await owners.follow(all.map((record) => record.owner));
  await owners.confirm(
    all.flatMap((record) => {
      const isDue = decisionFor(context, record)?.action === "delete";
      return [{ owner: record.owner, uid: record.ownerUid, isDue }];
    }),
  );
  const deleted: { bundleId: string; reason: string }[] = [];
  for (const record of all) {
    const decision = decisionFor(context, record);
    if (decision === undefined || !isConfirmed(context, record, decision, dryRun)) continue;
    try {
      if (decision.action === "delete") {
        // The record is checked again with compare-and-swap: a download may have marked it as used meanwhile.
        const gone = dryRun || (await bundles.deleteIf(record.id, (now) => isSame(now, record)));
        if (gone && !dryRun) index.removed(record.id);
        if (gone) deleted.push({ bundleId: record.id, reason: decision.reason });
      } else if (decision.action === "become" && !dryRun) await become(context, record, decision);
    } catch (error) {
      // If the record of one bundle cannot be written, the others can still be deleted.
      context.onError("bundles", error);
    }
  }
  return deleted;
}

function decisionFor(
  { owners, uses, clock, policy }: CollectBundlesContext,
  record: BundleRecord,
): Decision | undefined {
  const { state, owner, ownerUid } = record;
  if (state === "deleted" || uses.isPending(record.id)) return undefined;
  return decide({ ...record, state }, owners.state(owner, ownerUid), clock.seconds(), policy);
}

/** An owner that a watch does not show may still run. Only the cluster's own answer makes a bundle older. */
function isConfirmed(
  { owners }: CollectBundlesContext,
  { owner, ownerUid }: BundleRecord,
  { action }: Decision,
  dryRun: boolean,
): boolean {
  const state = owners.state(owner, ownerUid);
  if (state !== "absent" && state !== "finished") return true;
  const needed = dryRun ? CONFIRMATIONS_NEEDED_TO_SAY : CONFIRMATIONS_NEEDED[action];
  return owners.confirmations({ owner, uid: ownerUid }) >= needed;
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
