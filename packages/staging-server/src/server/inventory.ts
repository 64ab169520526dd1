import { blobService } from "../blobs/blobs.ts";
import { bundleIndex } from "../bundles/bundle-index.ts";
import { bundleUses } from "../bundles/bundle-uses.ts";
import { quotas } from "../config/quotas.ts";
import { uploadSessions } from "../ingest/upload-sessions.ts";
import { capacity } from "../ledger/capacity.ts";
import { ledger } from "../ledger/ledger.ts";
import { ledgerLimits } from "../ledger/limits.ts";
import { countUncommitted } from "../lifecycle/uncommitted-blobs.ts";
import { bundleStore } from "../metadata/bundles.ts";
import { leaseStore } from "../metadata/leases.ts";
import { roomyDocuments } from "../metadata/roomy-documents.ts";
import { serviceClock as openServiceClock } from "../metadata/service-clock.ts";
import { uploadStore } from "../metadata/uploads.ts";
import type { ServerContext } from "../routes/server-context.ts";
import type { DocumentStore } from "../stores/document-store.ts";
import { stockTaking } from "../stores/stock.ts";
import type { Assembly } from "./assembly.ts";

/** Everything that a server stores: files, bundles, leases and uploads, and the room that they take. */
export interface Inventory extends Pick<
  ServerContext,
  | "blobs"
  | "bundles"
  | "capacity"
  | "index"
  | "leases"
  | "ledger"
  | "quotaOf"
  | "serviceClock"
  | "sessions"
  | "takeStock"
  | "uses"
> {
  readonly documents: DocumentStore;
}

// A client that begins again may ask about all files of its bundle once more.
const DIGESTS_PER_FILE = 2;

/** Reads what earlier processes have left. */
export async function openInventory(assembly: Assembly): Promise<Inventory> {
  const { config, plan, storage, clock, random, log, replica } = assembly;
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
  const bundles = bundleStore(documents, plan.memory.manifests);
  const index = bundleIndex(bundles, book, (namespace, digest, size) => room.leftBehind(namespace, digest, size));
  await index.refresh();
  for (const { record } of index.all()) serviceClock.atLeast(Math.max(record.since, record.createdAt));
  const uses = bundleUses(bundles, index, serviceClock, (bundle, error) =>
    log.warn({ bundle, err: error }, "the use of a bundle could not be recorded yet"),
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
  return {
    blobs,
    bundles,
    capacity: room,
    documents,
    index,
    leases,
    ledger: book,
    quotaOf,
    serviceClock,
    sessions,
    takeStock: stockTaking(store),
    uses,
  };
}
