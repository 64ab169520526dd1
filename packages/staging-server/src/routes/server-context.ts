import type { Clock, Random } from "@kindling/outside";
import type { ConnectionGuard, FairPool, TokenBuckets } from "@kindling/service";
import type { FastifyBaseLogger } from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Blobs } from "../blobs/blobs.ts";
import type { DescriptorPlan } from "../budget/descriptor-plan.ts";
import type { MemoryPlan } from "../budget/memory-plan.ts";
import type { BundleIndex } from "../bundles/bundle-index.ts";
import type { BundleUses } from "../bundles/bundle-uses.ts";
import type { ServerConfig } from "../config/server-config.ts";
import type { Lingering } from "../http/answer-early.ts";
import type { RequestTurns } from "../http/request-turns.ts";
import type { ReceiveBudget } from "../ingest/receive-body.ts";
import type { UploadSessions } from "../ingest/upload-sessions.ts";
import type { Capacity } from "../ledger/capacity.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { BlobInspections } from "../lifecycle/blob-inspections.ts";
import type { Cleaner } from "../lifecycle/cleaner.ts";
import type { LifePolicy } from "../lifecycle/decide.ts";
import type { Election } from "../replicas/election.ts";
import type { OwnerWatch } from "../lifecycle/owner-watch.ts";
import type { Scrub } from "../lifecycle/scrub.ts";
import type { Bundles } from "../metadata/bundles.ts";
import type { Leases } from "../metadata/leases.ts";
import type { ServiceClock } from "../metadata/service-clock.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { TransferGates } from "../http/transfer-gates.ts";
import type { Stock } from "../stores/stock.ts";

/** Everything that routes use; made once, when a server starts. */
export interface ServerContext {
  readonly config: ServerConfig;
  readonly plan: { readonly descriptors: DescriptorPlan; readonly memory: MemoryPlan };
  readonly log: FastifyBaseLogger;
  readonly clock: Clock;
  readonly random: Random;
  readonly serviceClock: ServiceClock;
  readonly authenticator: Authenticator;
  readonly blobs: Blobs;
  readonly inspections: BlobInspections;
  readonly takeStock: () => Promise<Stock>;
  readonly bundles: Bundles;
  readonly index: BundleIndex;
  readonly uses: BundleUses;
  readonly leases: Leases;
  readonly sessions: UploadSessions;
  readonly ledger: Ledger;
  readonly capacity: Capacity;
  readonly gates: TransferGates;
  readonly connections: ConnectionGuard;
  /** Requests under way, by client. */
  readonly requests: FairPool;
  readonly turns: RequestTurns;
  /** Requests without credentials, by address. */
  readonly strangers: TokenBuckets;
  /** Bytes of documents being read, processed or sent, by client. */
  readonly documentMemory: FairPool;
  readonly lingering: Lingering;
  readonly receiveBudget: ReceiveBudget;
  readonly owners: OwnerWatch;
  readonly policy: LifePolicy;
  readonly election: Election;
  readonly cleaner: Cleaner;
  readonly scrub: Scrub;
  readonly quotaOf: (namespace: string) => number | undefined;
  readonly metrics: Metrics;
  /** Aborted when the server is told to stop. */
  readonly stopping: AbortSignal;
}
