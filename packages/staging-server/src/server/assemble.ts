import type { Clock, Random } from "@kindling/outside";
import { type ConnectionGuard, fairPool, tokenBuckets } from "@kindling/service";
import type { FastifyBaseLogger } from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import { blobService } from "../blobs/blobs.ts";
import { bundleIndex } from "../bundles/bundle-index.ts";
import { bundleUses } from "../bundles/bundle-uses.ts";
import type { ClusterConnection } from "../cluster/cluster-connection.ts";
import { quotas } from "../config/quotas.ts";
import type { ServerConfig } from "../config/server-config.ts";
import { MOST_LINGERING } from "../http/answer-early.ts";
import { requestTurns } from "../http/request-turns.ts";
import { uploadSessions } from "../ingest/upload-sessions.ts";
import { capacity } from "../ledger/capacity.ts";
import { ledger } from "../ledger/ledger.ts";
import { ledgerLimits } from "../ledger/limits.ts";
import { blobInspections } from "../lifecycle/blob-inspections.ts";
import { cleaner } from "../lifecycle/cleaner.ts";
import { condemnedBlobs } from "../lifecycle/condemned-blobs.ts";
import { documentElection } from "../lifecycle/document-election.ts";
import { onlyServer, type Election } from "../lifecycle/election.ts";
import { unwatchedOwners } from "../lifecycle/owner-watch.ts";
import { replicaReaders } from "../lifecycle/replica-readers.ts";
import { scrub } from "../lifecycle/scrub.ts";
import { countUncommitted, forgetLost, forgetUnheld } from "../lifecycle/uncommitted-blobs.ts";
import { chunkReleaser } from "../memory/chunk-releaser.ts";
import { bundleStore } from "../metadata/bundles.ts";
import { leaseStore } from "../metadata/leases.ts";
import { roomyDocuments } from "../metadata/roomy-documents.ts";
import { serviceClock as openServiceClock } from "../metadata/service-clock.ts";
import { uploadStore } from "../metadata/uploads.ts";
import { addCounters, addGauges, type Metrics } from "../metrics/metrics.ts";
import type { ServerContext } from "../routes/server-context.ts";
import { transferGates } from "../sharing/transfer-gates.ts";
import type { DamageCount } from "../stores/damage.ts";
import { stockTaking } from "../stores/stock.ts";
import type { Storage } from "../stores/store-driver.ts";
import type { ServerPlan } from "./server-plan.ts";

export interface Assembly {
  readonly config: ServerConfig;
  readonly plan: ServerPlan;
  readonly connections: ConnectionGuard;
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly damage: DamageCount;
  readonly cluster: ClusterConnection | undefined;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: FastifyBaseLogger;
  /** Tells this server from others that share its storage. */
  readonly replica: string;
  readonly stopping: AbortSignal;
}

const STRANGER_BURST_SECONDS = 5;
// A client that begins anew may ask about all files of its bundle once more.
const DIGESTS_PER_FILE = 2;

function electionFor({ storage, cluster, clock, replica }: Assembly, onError: (error: unknown) => void): Election {
  const { documents } = storage;
  if (!documents.shared) return onlyServer();
  return cluster?.elect({ replica, onError }) ?? documentElection({ documents, clock, identity: replica, onError });
}

/** Puts a server's parts together, from the storage up. */
export async function assemble(assembly: Assembly): Promise<ServerContext> {
  const { config, plan, connections, metrics, storage, cluster, clock, random, log, replica } = assembly;
  const { store } = storage;
  const quotaOf = quotas(config);
  const book = ledger(ledgerLimits({ config, memory: plan.memory, quotaOf, random }));
  const room = capacity({
    store,
    ledger: book,
    sizeOf: (namespace, digest) => index.namespaces().get(namespace)?.sizeOf(digest),
    hasQuota: (namespace) => quotaOf(namespace) !== undefined,
    minFreeBytes: config["store.minFree"],
    clock,
  });
  const documents = roomyDocuments(storage.documents, (bytes) => room.hasRoomFor(bytes));
  const serviceClock = await openServiceClock(documents, clock);
  const blobs = blobService(store, documents, clock);
  const inspections = blobInspections(store, clock);
  const bundles = bundleStore(documents, plan.memory.manifests);
  const index = bundleIndex(bundles, book, (namespace, digest, size) => room.leftBehind(namespace, digest, size));
  await index.refresh();
  for (const { record } of index.all()) serviceClock.atLeast(Math.max(record.since, record.createdAt));
  const uses = bundleUses(bundles, index, serviceClock, (bundle, error) =>
    log.warn({ bundle, err: error }, "use not noted yet"),
  );
  const leases = leaseStore(documents, serviceClock, {
    book,
    mostDigests: DIGESTS_PER_FILE * config["limits.bundleFiles"],
  });
  const sessions = uploadSessions({
    records: uploadStore(documents),
    store,
    serviceClock,
    clock,
    replica,
    shared: documents.shared,
    book,
  });
  await leases.load();
  await sessions.load();
  await countUncommitted({ leases, index, store, capacity: room });
  const gates = transferGates(
    {
      uploads: config["limits.uploads"],
      uploadsPerClient: config["limits.uploadsPerClient"],
      downloads: config["limits.downloads"],
    },
    random,
  );

  const requests = fairPool({ total: plan.requests, factor: 1 });
  const documentMemory = fairPool({ total: plan.memory.documents, factor: 1 });

  const onClusterError = (what: string) => (error: unknown) => {
    metrics.ownerCheckErrors.inc();
    log.warn({ err: error }, what);
  };
  const watching = config["lifecycle.owners"] === "kubernetes" ? cluster : undefined;
  const onOwnerError = onClusterError("owners cannot be watched");
  const owners = watching?.watchOwners({ clock, onError: onOwnerError }) ?? unwatchedOwners();
  const election = electionFor(assembly, onClusterError("the election fails"));
  const policy = {
    orphanGraceSeconds: config["lifecycle.orphanGrace"],
    maxAgeSeconds: config["lifecycle.maxAge"],
    slackSeconds: serviceClock.slackSeconds,
  };
  const collector = cleaner({
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
    onDeleted: (digests) => room.deleted(digests),
    async onCollected(staySeconds) {
      forgetUnheld({ leases, index, capacity: room, staySeconds });
      await forgetLost({ capacity: room, store });
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
  const scrubber = scrub({
    store,
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
  addGauges(metrics, {
    staging_bundles: { help: "Bundles kept", read: () => [...index.all()].length },
    staging_blobs: { help: "Blobs kept, as of the last collection", read: () => collector.totals?.blobs },
    staging_blob_bytes: { help: "Their bytes", read: () => collector.totals?.blobBytes },
    staging_reserved_bytes: { help: "Bytes promised to open uploads", read: () => room.reservedBytes() },
    staging_connections: { help: "Connections of clients", read: () => connections.count },
    staging_requests: { help: "Requests under way", read: () => requests.held },
    staging_document_bytes: { help: "Memory set aside for documents", read: () => documentMemory.held },
    staging_in_charge: { help: "1 if this server is the one that deletes", read: () => Number(election.inCharge()) },
    staging_scrub_last_pass_timestamp_seconds: {
      help: "When all files had been read again, in seconds since the epoch",
      read: () => scrubber.lastPass,
    },
  });
  addCounters(metrics, {
    staging_damaged_documents_total: {
      help: "Documents that were not what had been stored, and were put aside",
      read: () => assembly.damage.document,
    },
    staging_damaged_blobs_total: {
      help: "Files that were not what had been stored, and were put aside",
      read: () => assembly.damage.file,
    },
  });
  return {
    config,
    plan,
    log,
    clock,
    random,
    serviceClock,
    authenticator: assembly.authenticator,
    takeStock: stockTaking(store),
    blobs,
    inspections,
    bundles,
    index,
    uses,
    leases,
    sessions,
    ledger: book,
    capacity: room,
    gates,
    connections,
    requests,
    turns: requestTurns(() => clock.monotonic()),
    strangers: tokenBuckets({
      clock,
      perSecond: config["limits.strangerRate"],
      burstSeconds: STRANGER_BURST_SECONDS,
      clientsInAll: 10,
    }),
    documentMemory,
    lingering: { clock, places: fairPool({ total: MOST_LINGERING, factor: 1 }), release: chunkReleaser() },
    receiveBudget: { bytes: config["limits.receiveBuffer"], active: 0 },
    owners,
    policy,
    election,
    cleaner: collector,
    scrub: scrubber,
    quotaOf,
    metrics,
    stopping: assembly.stopping,
  };
}
