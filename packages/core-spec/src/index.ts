export { compareSpecs, covers, type Change } from "./additivity.ts";
export {
  confKey,
  confPrefix,
  defaultText,
  isConfPrefix,
  optionalConfKey,
  type ConfKey,
  type ConfPrefix,
  type KeyDeclaration,
  type Reader,
  type VersionedDefault,
} from "./conf/conf-key.ts";
export * as confType from "./conf/conf-type.ts";
export { splitList, type ConfType } from "./conf/conf-type.ts";
export { formatProperties, parseProperties, PropertiesSyntaxError } from "./conf/properties-text.ts";
export { sparkConf, type SparkConf, type SparkConfOptions } from "./conf/spark-conf.ts";
export { emptyDriverSpec, type KubernetesDriverSpec } from "./driver-spec.ts";
export {
  ERROR_CODES,
  exitCodeOf,
  isInterruption,
  isKindlingError,
  KindlingError,
  messageOf,
  type Audience,
  type ErrorCode,
  type ErrorCodeEntry,
  type KindlingErrorOptions,
} from "./errors.ts";
export { EXIT_CODES, exitCodeRows, type ExitCodeEntry } from "./exit-codes.ts";
export type { PodChanges } from "./pod-changes.ts";
export { emptyExecutorSpec, type KubernetesExecutorSpec } from "./executor-spec.ts";
export type {
  ConfigMap,
  Container,
  ContainerPort,
  EnvVar,
  KeyToPath,
  KubernetesResource,
  LocalObjectReference,
  NetworkPolicy,
  ObjectMeta,
  OwnerReference,
  PersistentVolumeClaim,
  Pod,
  PodSpec,
  Secret,
  Service,
  Volume,
  VolumeMount,
} from "./kubernetes.ts";
export { applicationId, uniqueId } from "./names/application-id.ts";
export { closest } from "./names/closest.ts";
export { isApiServerAudience, isServiceAudience } from "./names/audience.ts";
export { CREDENTIALS_FIELDS, type CredentialsField } from "./names/credentials-fields.ts";
export { javaSplit, javaTrim } from "./units/java-text.ts";
export * from "./names/labels.ts";
export { SPOT_NODE_LABELS, type SpotNodeLabel } from "./names/spot-node-labels.ts";
export {
  allowsNamespace,
  namespaceRuleText,
  readNamespaceRule,
  type LabelRequirement,
  type NamespaceFacts,
  type NamespaceRule,
} from "./names/namespace-rule.ts";
export type { PriorityRange } from "./names/priority-range.ts";
export * from "./names/scheduler-names.ts";
export * from "./names/connect-names.ts";
export { connectSessions, connectSessionsText, sessionsText, type ConnectSessions } from "./names/connect-sessions.ts";
export * from "./names/event-log-names.ts";
export * from "./names/shuffle-names.ts";
export { USUAL_NAMESPACE } from "./names/usual-namespace.ts";
export {
  appNameLabel,
  configMapName,
  DNS_LABEL_MAX_LENGTH,
  DNS_SUBDOMAIN_MAX_LENGTH,
  isDnsLabel,
  isDnsSubdomain,
  resourceNamePrefix,
} from "./names/resource-names.ts";
export { orderSteps } from "./order-steps.ts";
export { harmlessText, MOST_QUOTED_BYTES, quotedName } from "./outside-text.ts";
export { applicationPhase, isFinished, type PhasedContainer, type PhasedPod } from "./pods/application-phase.ts";
export { sparkContainerOf, type NamedContainer } from "./pods/spark-container.ts";
export { type Problem, type ProblemNames, type ProblemRow, problemsByName } from "./problem.ts";
export { createRedactor, REDACTED, type Redactor } from "./redactor.ts";
export {
  ownerOf,
  ownersIn,
  runDriverSteps,
  runExecutorSteps,
  CONFIGURATION,
  DRIVER,
  TEMPLATE,
  type Provenance,
  type StepRun,
} from "./run-steps.ts";
export type { Step } from "./step.ts";
export type { ConfigurationRequest, PodTemplateSource, RequestedApplication, SubmitRequest } from "./submit-request.ts";
export {
  APPLICATION_UPLOAD,
  type CustomResource,
  type DriverPodReference,
  type Environment,
  type ExecutorRequest,
  type FileUploads,
  type Identifiers,
  type LocalFile,
  type LocalFiles,
  type TemplateKind,
  type MainApplication,
  type ResourceProfile,
  type Submission,
} from "./submission.ts";
export { terminalLine, terminalText } from "./terminal-text.ts";
export { withHint } from "./with-hint.ts";
export { withoutUriSecrets } from "./uri-secrets.ts";
export { parseBytes, type ByteUnit } from "./units/bytes.ts";
export { sizeHint } from "./units/size-hint.ts";
export { javaDoubleToString } from "./units/java-double.ts";
export { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from "./units/quantity.ts";
export { parseTime, type TimeUnit } from "./units/time.ts";
export {
  differencesSince,
  SPARK_RELEASES,
  type Difference,
  type SparkDifference,
  type SparkRelease,
} from "./versions/differences.ts";
export {
  ASSUMED_SPARK_VERSION,
  isNewerThanKnown,
  newestOfLine,
  isOlderThanKnown,
  mayBeSparks,
  NEWEST_SPARK_RELEASE,
  OLDEST_SPARK_RELEASE,
} from "./versions/known-versions.ts";
export { releaseOf, sparkVersionOf, type SparkVersion, type Versioned } from "./versions/spark-version.ts";
export { parseSparkVersion } from "./versions/version-text.ts";
