export type { ClusterAccessReviews, ReviewedAction, ReviewedUser } from "@kindling/service";
export type { ClusterConnection } from "./cluster/cluster-connection.ts";
export { connectCluster } from "./cluster/connect-cluster.ts";
export type { AuthConfig } from "./config/keys/auth-keys.ts";
export type { LifecycleConfig } from "./config/keys/lifecycle-keys.ts";
export type { LimitConfig } from "./config/keys/limit-keys.ts";
export type { ListenConfig } from "./config/keys/listen-keys.ts";
export { SERVER_KEYS } from "./config/keys/server-keys.ts";
export type { StoreConfig } from "./config/keys/store-keys.ts";
export { loadConfig } from "./config/load-config.ts";
export { configReference } from "./config/reference.ts";
export type { ServerConfig, ServerKeyName } from "./config/server-config.ts";
export type { Election } from "./replicas/election.ts";
export type { OwnerWatch } from "./lifecycle/owner-watch.ts";
export type { ServerOptions } from "./server/open-server.ts";
export type { StagingServer } from "./server/serve.ts";
export { startStagingServer } from "./server/staging-server.ts";
export type { DiskStep, StepHook } from "./stores/local-disk/steps.ts";
export type {
  BlobReader,
  BlobStore,
  ByteRange,
  Ingest,
  IngestOptions,
  IngestState,
  SealedIngest,
  StoredBlob,
} from "./stores/blob-store.ts";
export type { DocumentName, DocumentStore, PutOptions, StoredDocument, Version } from "./stores/document-store.ts";
export { StoreError } from "./errors/store-error.ts";
