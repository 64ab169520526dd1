export { connectionFor, submit, submitConfigured, type SubmissionResult, type SubmitOptions } from "./submit.ts";
export type { Access } from "./access.ts";
export type { ConfigurationRequest, PodTemplateSource, RequestedApplication, SubmitRequest } from "@kindling/core-spec";
export type { Application, SubmissionEvent } from "./events.ts";
export { failureOf, inPhase, type SubmissionFailure, type SubmissionPhase } from "./submission-failure.ts";
export { noticesOf } from "./notices.ts";

// gather
export { configure, type Configuration, type ConfigurationOutside } from "./gather/configuration/configure.ts";
export { meantByKey, unknownKeys } from "./gather/configuration/unknown-keys.ts";
export { effectiveEntries, type EffectiveEntry } from "./gather/configuration/effective-entries.ts";
export { deploymentOf, unsupportedHere, type Deployment } from "./gather/configuration/deployment.ts";
export { isKubernetesMaster } from "./gather/configuration/master-url.ts";
export { gather, gatherConfigured, type Gathered } from "./gather/gather.ts";
export type { GatherOptions } from "./gather/gathering.ts";
export { effectiveInstallation } from "./gather/installation/with-installation.ts";
export type { Installation } from "./gather/installation/installation.ts";
export {
  findInstallation,
  type FindInstallation,
  type WantedInstallation,
} from "./gather/installation/find-installation.ts";
export { cachedInstallations, type CachedInstallationsOptions } from "./gather/installation/cached-installations.ts";
export { cachedNamespaceLabels, type FindNamespaceLabels } from "./gather/installation/namespace-labels.ts";
export type { CacheOptions } from "./gather/installation/cached-answers.ts";
export type { ConnectCluster } from "./gather/installation/gather-installation.ts";
export type { Connection } from "./gather/kubeconfig/gather-cluster.ts";
export { isSameReach, openCluster, type OpenCluster, type Reach } from "./gather/kubeconfig/open-cluster.ts";
export type { StagingAccess } from "./gather/staging/staging-access.ts";

// plan
export { applicationIdOf } from "./plan/identifiers.ts";
export { plan } from "./plan/plan.ts";
export { planExecutor, type DrawnByDriver, type ExecutorPlan } from "./plan/plan-executor.ts";
export { resolveSparkVersion } from "./plan/spark-version.ts";
export { fillBundle } from "./plan/fill-bundle.ts";
export type { BundleValues } from "./plan/dependency-step.ts";
export type { Fault, GatheredFile, GatheredFiles } from "./plan/files/gathered-files.ts";
export { TOKENS_NOT_FETCHED, type ConfigurationData, type IdentifierSeed, type PlanInput } from "./plan/plan-input.ts";
export type { DriverObjects } from "@kindling/steps";
export type { FollowPlan, PlannedApplication, StagingPlan, SubmissionPlan } from "./plan/submission-plan.ts";
export type { Copy, Upload } from "./plan/uploads.ts";

// apply and follow
export { apply, type Applied, type ApplyOptions } from "./apply/apply.ts";
export { stage } from "./stage.ts";
export { connect } from "./cluster/connect.ts";
export {
  accountToken,
  type AccountToken,
  type AskCluster,
  type TokenPurpose,
  type WantedToken,
} from "./cluster/account-token.ts";
export { clusterError } from "./cluster/cluster-error.ts";
export { follow, type FollowOptions } from "./follow/follow.ts";
export type { Outcome } from "./follow/outcome.ts";
export type { ExceededLimit, TimeLimits } from "./follow/time-limits.ts";
export { describeContainers, describePod } from "./follow/describe-pod.ts";
export type {
  Cause,
  ContainerState,
  Diagnosis,
  ExecutorCounts,
  Finding,
  PodEvent,
  PodState,
  Purpose,
  Subject,
} from "@kindling/diagnosis";
export {
  applicationPhase,
  forApplication,
  inApplicationWords,
  isFinished,
  isKeeper,
  podState,
  roleObjects,
} from "@kindling/diagnosis";
export { gatherEvidence, type EvidenceOptions } from "./evidence/gather-evidence.ts";
export { eventsOfPods } from "./evidence/pod-events.ts";

// existing applications
export { applicationOf } from "./applications/application-of.ts";
export { driverProperties, propertiesConfigMap } from "./applications/driver-properties.ts";
export { driverBehind, isStandIn } from "./applications/stand-in.ts";
export { applicationLog, type ApplicationLogOptions } from "./applications/application-log.ts";
export { matchesPattern, parseApplicationName, type ApplicationName } from "./applications/application-name.ts";
export { applicationReport, type ApplicationReport, type ReportOptions } from "./applications/application-report.ts";
export { findApplication, findApplications, noApplication } from "./applications/find-applications.ts";
export { findDrivers, parseTarget, type Target } from "./applications/find-drivers.ts";
export {
  listConnectDrivers,
  type ConnectDriver,
  type ConnectDriversWanted,
} from "./applications/list-connect-drivers.ts";
export { killApplication } from "./applications/kill-application.ts";
export {
  listApplications,
  listedApplication,
  type ListedApplication,
  type ListOptions,
} from "./applications/list-applications.ts";

// the configured gateway
export { configuredGatewayPlace } from "./keys/configured-gateway.ts";

// keys, and which texts may be shown
export { INSTALLATION } from "./keys/installation-key.ts";
export { GATEWAY_PAGE } from "./keys/gateway-keys.ts";
export { RECORDER_AUDIENCE, RECORDER_SERVICE_ACCOUNT, RECORDER_URI } from "./keys/recorder-keys.ts";
export { parseServiceUri, type ServiceOfCluster } from "./keys/service-uri.ts";
export { CONNECT_AUDIENCE, CONNECT_SERVICE_ACCOUNT, CONNECT_URI } from "./keys/connect-keys.ts";
export { GRACE_PERIOD } from "./keys/kill-keys.ts";
export { STAGING_AUDIENCE, STAGING_CA_FILE, STAGING_TOKEN_FILE, STAGING_URI } from "./keys/staging-keys.ts";
export { SUBMISSION_KEYS } from "./keys/submission-keys.ts";
export { cleanError, cleanValue } from "./secrets/clean-error.ts";
export { hidePlanned } from "./secrets/planned-secrets.ts";
export { redactObject, type Redaction } from "./secrets/redact-object.ts";
export { isSecretKey, redact, replaceSecretSettings, secretsIn, withoutUserInfo } from "./secrets/redact.ts";
export { secretsInObjects } from "./secrets/secrets-in-objects.ts";
