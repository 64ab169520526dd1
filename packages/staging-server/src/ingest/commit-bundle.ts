import {
  collidingNames,
  fileNameFault,
  manifestDigest,
  ownerFault,
  type BundleFile,
  type CommittedBundle,
  type StagedResourcesOwner,
} from "@kindling/staging-client";
import type { Clock, Random } from "@kindling/outside";
import type { Blobs } from "../blobs/blobs.ts";
import type { DescriptorPlan } from "../budget/descriptor-plan.ts";
import { newSecret, secretHash } from "../bundles/bundle-access.ts";
import type { BundleIndex } from "../bundles/bundle-index.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { ProblemError } from "../errors/problem-error.ts";
import type { Capacity } from "../ledger/capacity.ts";
import type { Charge, Ledger } from "../ledger/ledger.ts";
import { blobOf, bundleOf } from "../ledger/weights.ts";
import type { BundleRecord } from "../metadata/bundle-record.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { LeaseRecord } from "../metadata/lease-record.ts";
import type { Leases } from "../metadata/leases.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";

/** Where a bundle is recorded, and what it is checked against. */
export interface CommitContext {
  readonly config: Pick<ServerConfig, "lifecycle.owners">;
  readonly plan: { readonly descriptors: Pick<DescriptorPlan, "watches"> };
  readonly clock: Clock;
  readonly random: Random;
  readonly serviceClock: ServiceClock;
  readonly leases: Leases;
  readonly blobs: Blobs;
  readonly bundles: Bundles;
  readonly index: BundleIndex;
  readonly ledger: Ledger;
  readonly capacity: Capacity;
  readonly owners: KnownOwners;
}

/** Which types of owners this server looks for. */
export interface KnownOwners {
  knows(ownerType: string): boolean;
}

export interface BundleToCommit {
  readonly wire: BundleRecord["wire"];
  readonly lease: LeaseRecord;
  readonly owner: StagedResourcesOwner;
  readonly files: readonly BundleFile[];
  readonly unusedSeconds: number;
}

/**
 * Makes a bundle of blobs that the lease holds. When this resolves, the bundle and all of its blobs survive a loss of
 * power, and the lease is closed.
 *
 * @throws ProblemError `invalid-request`, `blobs-missing`, `quota-exceeded`, `limit-reached`
 */
export async function commitBundle(context: CommitContext, bundle: BundleToCommit): Promise<CommittedBundle> {
  const { lease, owner, files } = bundle;
  checkOwner(context, owner);
  if (owner.ownerNamespace !== lease.namespace) {
    throw new ProblemError("invalid-request", "the owner is in another namespace than the lease");
  }
  checkFiles(files);
  const held = await context.leases.held(lease.id);
  const missing = [...new Set(files.map(({ digest }) => digest).filter((digest) => !held.has(digest)))];
  if (missing.length > 0) throw new ProblemError("blobs-missing", undefined, { members: { missing } });
  await checkSizes(context, files);
  await context.blobs.store.makeDurable([...new Set(files.map(({ digest }) => digest))]);

  const secret = newSecret(context.random);
  const now = context.serviceClock.seconds();
  const record: BundleRecord = {
    id: context.random.uuid(),
    wire: bundle.wire,
    owner,
    createdBy: lease.subject,
    secretHash: secretHash(secret),
    manifestDigest: manifestDigest(files),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    state: "unused",
    since: now,
    createdAt: now,
    createdTime: new Date(context.clock.now()).toISOString(),
    unusedSeconds: bundle.unusedSeconds,
  };
  const charge = chargeFor(context, record, files);
  try {
    await context.bundles.create(record, { files });
  } catch (error) {
    charge.release();
    throw error;
  }
  context.index.add(record, files, charge);
  context.capacity.committed(lease.namespace, new Set(files.map(({ digest }) => digest)));
  await context.leases.close(lease.id);
  return {
    bundleId: record.id,
    secret,
    manifestDigest: record.manifestDigest,
    expiresIn: bundle.unusedSeconds,
  };
}

/**
 * What a bundle takes: its documents, and the blobs that are new to the namespace, such as shared files of others.
 *
 * @throws ProblemError `quota-exceeded`, `limit-reached`
 */
function chargeFor(
  { ledger, capacity, index, plan, config }: CommitContext,
  record: BundleRecord,
  files: readonly BundleFile[],
): Charge {
  const namespace = record.owner.ownerNamespace;
  const namespaces = index.namespaces();
  const most = plan.descriptors.watches;
  if (config["lifecycle.owners"] === "kubernetes" && !namespaces.has(namespace) && namespaces.size >= most) {
    const detail = `this server watches the owners of ${most} namespaces, and can watch no more`;
    throw new ProblemError("limit-reached", detail, { retryAfterSeconds: 60 });
  }
  const documents = bundleOf(record, files);
  let blobs = 0;
  for (const [digest, size] of new Map(files.map((file) => [file.digest, file.size]))) {
    const counts = namespaces.get(namespace)?.has(digest) === true || capacity.isUncommitted(namespace, digest);
    if (!counts) blobs += blobOf(size).disk;
  }
  const charge = ledger.take(namespace, { ...documents, disk: (documents.disk ?? 0) + blobs });
  // Its blobs have their own entries as soon as it is a bundle.
  charge.set({ disk: documents.disk ?? 0 });
  return charge;
}

/** @throws ProblemError `invalid-request` */
export function checkOwner({ owners }: { readonly owners: KnownOwners }, owner: StagedResourcesOwner): void {
  const fault = ownerFault(owner);
  if (fault !== undefined) throw new ProblemError("invalid-request", `owner: ${fault}`);
  if (!owners.knows(owner.ownerType)) {
    throw new ProblemError("invalid-request", `owner: this server does not look for owners of type ${owner.ownerType}`);
  }
}

function checkFiles(files: readonly BundleFile[]): void {
  for (const { name } of files) {
    const fault = fileNameFault(name);
    if (fault !== undefined) throw new ProblemError("invalid-request", `file ${JSON.stringify(name)}: ${fault}`);
  }
  const clash = collidingNames(files.map(({ name }) => name));
  if (clash === undefined) return;
  const [first, second] = clash.map((name) => JSON.stringify(name));
  throw new ProblemError("invalid-request", `files ${first} and ${second} clash`);
}

/** With a wrong size in the manifest, every reader would wait for bytes that do not come. */
async function checkSizes({ blobs }: CommitContext, files: readonly BundleFile[]): Promise<void> {
  const sizes = await blobs.findAll([...new Set(files.map(({ digest }) => digest))]);
  const gone = files.filter(({ digest }) => !sizes.has(digest)).map(({ digest }) => digest);
  if (gone.length > 0) throw new ProblemError("blobs-missing", undefined, { members: { missing: [...new Set(gone)] } });
  for (const { name, digest, size } of files) {
    const actual = sizes.get(digest);
    if (actual !== size) {
      throw new ProblemError("invalid-request", `file ${JSON.stringify(name)} has ${actual} bytes, not ${size}`);
    }
  }
}
