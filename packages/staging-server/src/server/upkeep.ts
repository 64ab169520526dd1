import { blobInspections } from "../lifecycle/blob-inspections.ts";
import { cleaner, type Cleaner } from "../lifecycle/cleaner.ts";
import { condemnedBlobs } from "../lifecycle/condemned-blobs.ts";
import { documentElection } from "../replicas/document-election.ts";
import { onlyServer, type Election } from "../replicas/election.ts";
import { unwatchedOwners, type OwnerWatch } from "../lifecycle/owner-watch.ts";
import { replicaReaders } from "../replicas/replica-readers.ts";
import { scrub, type Scrub } from "../lifecycle/scrub.ts";
import { forgetLost, forgetUnheld } from "../lifecycle/uncommitted-blobs.ts";
import type { ServerContext } from "../routes/server-context.ts";
import type { TransferGates } from "../http/transfer-gates.ts";
import type { Assembly } from "./assembly.ts";
import type { Inventory } from "./inventory.ts";

/** Background tasks: data that is not needed is deleted, and stored data is read again. */
export type Upkeep = Pick<ServerContext, "cleaner" | "election" | "inspections" | "owners" | "policy" | "scrub">;

/** @param gates tell whether a client is sending or fetching files */
export function upkeep(assembly: Assembly, inventory: Inventory, gates: TransferGates): Upkeep {
  const { config, storage, clock } = assembly;
  const owners = watchOwners(assembly);
  const election = electionOf(assembly);
  const policy = {
    orphanGraceSeconds: config["lifecycle.orphanGrace"],
    maxAgeSeconds: config["lifecycle.maxAge"],
    slackSeconds: inventory.serviceClock.slackSeconds,
  };
  const inspections = blobInspections(storage.store, clock);
  return {
    owners,
    election,
    policy,
    inspections,
    cleaner: cleanerOf(assembly, inventory, { owners, election, policy }),
    scrub: scrubOf(assembly, inventory, { gates, inspections }),
  };
}

function watchOwners(assembly: Assembly): OwnerWatch {
  const { config, cluster, clock } = assembly;
  const watching = config["lifecycle.owners"] === "kubernetes" ? cluster : undefined;
  const onError = onClusterError(assembly, "owners cannot be watched");
  return watching?.watchOwners({ clock, onError }) ?? unwatchedOwners();
}

function electionOf(assembly: Assembly): Election {
  const { storage, cluster, clock, replica } = assembly;
  const { documents } = storage;
  if (!documents.shared) return onlyServer();
  const onError = onClusterError(assembly, "the election fails");
  return cluster?.elect({ replica, onError }) ?? documentElection({ documents, clock, identity: replica, onError });
}

function onClusterError({ metrics, log }: Assembly, what: string): (error: unknown) => void {
  return (error) => {
    metrics.ownerCheckErrors.inc();
    log.warn({ err: error }, what);
  };
}

function cleanerOf(
  { config, metrics, storage, clock, log, replica }: Assembly,
  inventory: Inventory,
  { owners, election, policy }: Pick<Upkeep, "election" | "owners" | "policy">,
): Cleaner {
  const { store } = storage;
  const { blobs, bundles, capacity, documents, index, leases, serviceClock, sessions, uses } = inventory;
  return cleaner({
    bundles,
    index,
    uses,
    owners,
    clock: serviceClock,
    policy,
    blobs,
    condemned: condemnedBlobs(documents),
    leases,
    readers: replicaReaders(documents, replica, () => blobs.reading(), serviceClock),
    graceSeconds: config["lifecycle.blobGrace"],
    inCharge: () => election.inCharge(),
    onDeleted: (digests) => capacity.deleted(digests),
    async onCollected(staySeconds) {
      forgetUnheld({ leases, index, capacity, staySeconds });
      await forgetLost({ capacity, store });
    },
    sessions,
    election,
    timer: clock,
    intervalSeconds: config["lifecycle.interval"],
    uploadIdleSeconds: config["upload.ttl"],
    isShortOfRoom: async () => ((await store.freeBytes()) ?? Infinity) < config["store.minFree"],
    onReport(report) {
      for (const { bundleId, reason } of report.bundlesDeleted) {
        metrics.bundlesDeleted.inc({ reason });
        log.info({ bundle: bundleId, reason }, "bundle deleted");
      }
      metrics.bytesFreed.inc(report.bytesFreed);
    },
    onError(task, error) {
      metrics.collectionErrors.inc({ task });
      log.error({ err: error, task }, "the cleaner failed, and will try again");
    },
  });
}

function scrubOf(
  { config, metrics, storage, clock, log }: Assembly,
  { documents, serviceClock }: Inventory,
  { gates, inspections }: Pick<ServerContext, "gates" | "inspections">,
): Scrub {
  return scrub({
    store: storage.store,
    documents,
    inspections,
    serviceClock,
    timer: clock,
    intervalSeconds: config["scrub.interval"],
    bytesPerSecond: config["scrub.rate"],
    isBusy: () => gates.uploads + gates.downloads > 0,
    onBytes: (bytes) => metrics.scrubbedBytes.inc(bytes),
    onError: (error) => log.error({ err: error }, "the scrub failed, and will try again"),
  });
}
