import { addCounters, addGauges } from "../metrics/metrics.ts";
import type { ServerContext } from "../routes/server-context.ts";
import type { DamageCount } from "../stores/damage.ts";

/** Adds the metrics that are read at each scrape to a server's metrics. */
export function addWatchedValues(context: ServerContext, damage: DamageCount): void {
  const { metrics, capacity, cleaner, connections, documentMemory, election, index, requests, scrub } = context;
  addGauges(metrics, {
    staging_bundles: { help: "Bundles kept", read: () => [...index.all()].length },
    staging_blobs: { help: "Blobs kept, as of the last collection", read: () => cleaner.totals?.blobs },
    staging_blob_bytes: { help: "Their bytes", read: () => cleaner.totals?.blobBytes },
    staging_reserved_bytes: { help: "Bytes promised to open uploads", read: () => capacity.reservedBytes() },
    staging_connections: { help: "Connections of clients", read: () => connections.count },
    staging_requests: { help: "Requests under way", read: () => requests.held },
    staging_document_bytes: { help: "Memory set aside for documents", read: () => documentMemory.held },
    staging_in_charge: { help: "1 if this server is in charge of deletions", read: () => Number(election.inCharge()) },
    staging_scrub_last_pass_timestamp_seconds: {
      help: "When all files had been read again, in seconds since the epoch",
      read: () => scrub.lastPass,
    },
  });
  addCounters(metrics, {
    staging_damaged_documents_total: {
      help: "Damaged documents that were set aside",
      read: () => damage.document,
    },
    staging_damaged_blobs_total: {
      help: "Damaged files that were set aside",
      read: () => damage.file,
    },
  });
}
