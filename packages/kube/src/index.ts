export { apiVersionOf, type KubeObjectLike, type ObjectMetaLike } from "@kindling/kube-objects";
export { createKubeClient } from "./client/create-kube-client.ts";
export type { KubeClient, RawRequest } from "./client/kube-client.ts";
export type { KubeList, ListPage } from "./client/list-pages.ts";
export type { WatchEvent } from "./answers/watch-event.ts";
export { followLogs, type FollowLogsOptions } from "./client/follow-logs.ts";
export { logLinesAfter, logOptionsAfter, type LogLine, type LogPosition } from "./client/log-position.ts";
export { isKubeletNotice } from "./client/kubelet-notice.ts";
export type { LogStream } from "./client/logs.ts";
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  KubeClientOptions,
  ListLimits,
  ListOptions,
  LogOptions,
  PatchKind,
  PropagationPolicy,
  Selection,
  WatchOptions,
  WriteOptions,
} from "./client/options.ts";
export type { ServiceLimits } from "./client/services.ts";
export type { RequestAttempt, RetryPolicy } from "./transport/transport-options.ts";
export {
  serviceTransport,
  serviceUrl,
  type ServicePlace,
  type ServiceTransportOptions,
} from "./transport/service-transport.ts";
export { ForwardingError } from "./port-forward/forwarded-port.ts";
export { linkedAbort, type LinkedAbort } from "./linked-abort.ts";
export type { ClientCertificate, Credentials, CredentialSource } from "./credentials/credential-source.ts";
export type { CredentialTimes } from "./credentials/credential-times.ts";
export {
  isKubeError,
  kubeError,
  KUBE_ERROR_KINDS,
  type FieldError,
  type KubeError,
  type KubeErrorContext,
  type KubeErrorKind,
  type KubeErrorKindEntry,
  type KubeFault,
  type NamedDetails,
  type TlsFaultReason,
} from "./errors/kube-error.ts";
export { isPassing } from "./errors/passing.ts";
export { isAlreadyExists, isConflict, isExpired, isNotFound, isObjectNotFound } from "./errors/status.ts";
export type { ClusterAccess, TlsSettings } from "./kubeconfig/cluster-access.ts";
export { kubeconfigContexts, type KubeconfigContext } from "./kubeconfig/kubeconfig-contexts.ts";
export { loadClusterAccess } from "./kubeconfig/load-cluster-access.ts";
export type { AccessOverlays, LoadOptions } from "./kubeconfig/load-options.ts";
export type { ResourceType } from "./resource-type.ts";
export { knownResource, resources, type PodGroup } from "./resources.ts";
export { followObject, type FollowObjectOptions } from "./watch/follow-object.ts";
export type { ReflectorOptions, ReflectorSink } from "./watch/reflector-options.ts";
export { startReflector, type Reflector } from "./watch/reflector.ts";
export { leadWhileElected, type LeaderWork, type LeadershipEnd } from "./lease/leader-election.ts";
export { fencedClient, type Fence } from "./lease/fenced-client.ts";
export type { LeaderElectionOptions } from "./lease/leader-election-options.ts";
export { createBackoff, type Backoff, type BackoffOptions } from "./backoff.ts";
export { compareResourceVersions, isOlder } from "./watch/resource-version.ts";
