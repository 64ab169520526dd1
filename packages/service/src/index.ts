export { type AccessEntry, entryOfCertificate, entryOfToken, parseAccessList, readAccessList } from "./access-list.ts";
export { accessReviews } from "./access-reviews.ts";
export { adminServer, type AdminServerOptions, type MetricsSource, type PageAnswer } from "./admin-server.ts";
export {
  type CertificateFiles,
  followCertificate,
  type FollowOptions,
  readCertificate,
  type ServerCertificate,
} from "./certificate-files.ts";
export type { ClusterAccessReviews, ReviewedAction, ReviewedUser } from "./cluster-access-reviews.ts";
export { type ExpiringCache, expiringCache } from "./expiring-cache.ts";
export { jsonLog, type Log, type LogDestination, type LogFields, type LogLevel } from "./json-log.ts";
export { type ClusterOptions, connect, findCluster } from "./connect.ts";
export { closeServer, isLoopback, listen, listening, type ListenSettings, uriOf } from "./listen.ts";
export { matchesNamespace } from "./namespace-pattern.ts";
export { readText } from "./read-text.ts";
export { untilStopped } from "./until-stopped.ts";
