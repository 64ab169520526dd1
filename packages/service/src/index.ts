export { type AccessEntry, entryOfCertificate, entryOfToken, parseAccessList, readAccessList } from "./access-list.ts";
export { accessReviews } from "./reviews/access-reviews.ts";
export { adminServer, metricsAnswer, type AdminServerOptions, type MetricsSource } from "./admin-server.ts";
export {
  type CertificateFiles,
  followCertificate,
  type FollowOptions,
  readCertificate,
  type ServerCertificate,
} from "./certificate-files.ts";
export {
  type ClusterAccessReviews,
  CREDENTIAL_ID,
  type ReviewedAction,
  type ReviewedUser,
} from "./reviews/cluster-access-reviews.ts";
export {
  AUDIT_API_VERSION,
  type AuditComponent,
  type AuditDecision,
  type AuditedObject,
  type AuditedUser,
  type AuditEvent,
} from "./audit/audit-event.ts";
export { type AuditLog, type AuditLogOptions, NO_AUDIT, openAuditLog } from "./audit/audit-log.ts";
export { type ExpiringCache, expiringCache } from "./expiring-cache.ts";
export { clientOfAddress, proxyAddresses } from "./connections/client-address.ts";
export type { Connection, RequestSpan } from "./connections/connection.ts";
export { type ConnectionGuard, guardConnections } from "./connections/connection-guard.ts";
export type { ConnectionLimits, CutReason, GuardOptions } from "./connections/guard-options.ts";
export type { GuardedHandlers } from "./connections/guard-requests.ts";
export { rateGuard, type RateGuard, type RateLimit, TICKS_PER_WINDOW } from "./connections/rate-guard.ts";
export { type ReaderWatch, type ReaderWatchOptions, watchReaders } from "./connections/stalled-readers.ts";
export { tcpQueues, type TcpQueues } from "./connections/tcp-queues.ts";
export { jsonLog, type Log, type LogDestination, type LogFields, type LogLevel } from "./json-log.ts";
export { type ClusterOptions, connect, findCluster } from "./connect.ts";
export { closeServer, isLoopback, listen, listening, listeningAt, type ListenSettings, uriOf } from "./listen.ts";
export { matchesNamespace } from "./namespace-pattern.ts";
export { type Access, keptAccess, type KeptAccessOptions } from "./reviews/kept-access.ts";
export { type AcceptedTokens, acceptedTokens } from "./reviews/accepted-tokens.ts";
export { MAX_TOKEN_BYTES, tokenUsers, type TokenUsers, type TokenUsersOptions } from "./reviews/token-users.ts";
export { type ReviewLimitOptions, type ReviewLimits, reviewLimits } from "./reviews/review-limits.ts";
export { type MemoryParts, memoryParts, processMemory } from "./process-memory.ts";
export { OK, plainServer, type PageAnswer, type Pages, type PlainRoutes } from "./plain-server.ts";
export { readText } from "./read-text.ts";
export { runService } from "./run-service.ts";
export { type FairPool, fairPool } from "./sharing/fair-pool.ts";
export { OwnCounts } from "./sharing/own-counts.ts";
export { type BucketOptions, type TokenBuckets, tokenBuckets } from "./sharing/token-buckets.ts";
export { watchFiles, type WatchedFiles } from "./watched-files.ts";
