export { CHAIN, chain, type ChainRow } from "./chains/chain.ts";
export { allKeys } from "./chains/all-keys.ts";
export { EXECUTOR_FEATURE_STEPS, selectSteps } from "./chains/feature-steps.ts";
export { ARCHIVES, FILES, JARS, PY_FILES } from "./steps/file-uploads.ts";
export { confDirFiles } from "./objects/conf-dir-files.ts";
export { DRIVER_CONF_VOLUME, driverObjects, PROPERTIES_FILE, type DriverObjects } from "./objects/driver-objects.ts";
export { executorConfigMap, executorObjects, type ExecutorObjects } from "./objects/executor-objects.ts";
export {
  DRIVER_POD_TEMPLATE_CONTAINER,
  DRIVER_POD_TEMPLATE_FILE,
  initialDriverSpec,
  initialExecutorSpec,
  type PodTemplate,
} from "./objects/pod-template.ts";
export { executorAdditions } from "./objects/executor-additions.ts";
export { runningDriverConf } from "./objects/running-driver-conf.ts";
export { sampleExecutorPod } from "./handover/sample-executor.ts";
export {
  POD_SECURITY,
  POD_SECURITY_KEYS,
  POD_SECURITY_LABEL,
  POD_SECURITY_LEVELS,
  type PodSecurityLevel,
} from "./pod-security/pod-security-keys.ts";
export { podSecurity, restrictsPods } from "./pod-security/pod-security-step.ts";
export { podSecurityViolations } from "./pod-security/violations.ts";
export { isSealed, isSealedWithTls, isUiSealed, refuseUiSealedAlone, sealEntries } from "./seal/seal-entries.ts";
export { uiTlsPort } from "./ui-tls-port.ts";
export { sealStep, type SealMaterial } from "./seal/seal-step.ts";
export {
  EVENT_LOG_AUDIENCE,
  EVENT_LOG_CA_MAP,
  EVENT_LOG_KEYS,
  EVENT_LOG_URI,
  EVENT_LOG_USER,
} from "./event-log/event-log-keys.ts";
export { recordedEventLog, recordsEventLog } from "./event-log/event-log-step.ts";
export { keepsShuffle, shuffleEntries } from "./shuffle/shuffle-entries.ts";
export { SHUFFLE, SHUFFLE_KEYS } from "./shuffle/shuffle-keys.ts";
export { shuffleServer } from "./shuffle/shuffle-step.ts";
export { validateExecutorVolumes } from "./volumes/validate-executor-volumes.ts";
export * as driverKeys from "./keys/driver/named-driver-keys.ts";
export {
  CONTAINER_IMAGE,
  DRIVER_CONTAINER_IMAGE,
  IMAGE_PULL_POLICY,
  IMAGE_PULL_SECRETS,
  NAMESPACE,
} from "./keys/pod-keys.ts";
export { POD_NAME_PREFIX } from "./keys/executor-name-key.ts";
export { KEYTAB, KRB5_CONF, KRB5_CONFIG_MAP, KRB5_PATH, TOKEN_SECRET_NAME } from "./steps/kerberos-conf.ts";
export { ephemeralStorage } from "./steps/ephemeral-storage.ts";
export { kerberosExecutors } from "./steps/kerberos-executors.ts";
export { DRIVER_SERVICE_ACCOUNT } from "./steps/kubernetes-credentials.ts";
export { AUTHENTICATE_SECRET_FILE_EXECUTOR } from "./steps/basic/executor-env.ts";
export { earlyExecutors } from "./steps/scheduler/early-start.ts";
export {
  SCHEDULER,
  SCHEDULER_CA_FILE,
  SCHEDULER_CA_MAP,
  SCHEDULER_EXECUTOR_STEPS,
  SCHEDULER_PRIORITY,
  SCHEDULER_QUEUE,
  SCHEDULER_URI,
} from "./steps/scheduler/scheduler-keys.ts";
export {
  baseName,
  decodeEscapes,
  isSubmitterLocal,
  isUriText,
  NO_RESOURCE,
  noUriCharacter,
  schemeOf,
  splitFragment,
} from "./uris.ts";
export {
  EXECUTOR_POD_TEMPLATE_CONTAINER,
  EXECUTOR_POD_TEMPLATE_FILE,
  POD_TEMPLATE_ENTRY,
  POD_TEMPLATE_VOLUME,
} from "./steps/pod-template-config-map.ts";
export { takeDependencies, type TakenDependencies } from "./staged/dependencies.ts";
export type { Dependency, DependencyKind } from "./staged/dependency-set.ts";
export { bundlePlaces, fillPlaces, type BundlePlaces } from "./staged/bundle-places.ts";
export type { LocalizerConfig, StagedBundle } from "./staged/localizer-config.ts";
export {
  LOCALIZER_IMAGE,
  LOCALIZER_IMAGE_PULL_POLICY,
  LOCALIZER_KEYS,
  LOCALIZER_SCHEMES,
} from "./staged/localizer-keys.ts";
export { handedDependencies, stepOfDependencies, type HandedDependencies } from "./staged/handed-dependencies.ts";
export { applyChanges } from "./pod-changes/apply-changes.ts";
export { changingStep, type ChangesByRole } from "./pod-changes/changing-step.ts";
export { combinedChanges } from "./pod-changes/combined-changes.ts";
export { broughtSteps, executorHandover, handsStepsOver } from "./handover/executor-handover.ts";
export { executorAllowance } from "./handover/allowance-step.ts";
export {
  formatHandover,
  HANDOVER_ENTRY,
  parseHandover,
  type ExecutorHandover,
  type HandedStep,
} from "./handover/handover.ts";
export { holdsSmallFiles, smallFiles, type SmallFile } from "./staged/small-files.ts";
export { mountedDependencies, stagedDependencies, type LocalizedDependencies } from "./staged/staged-dependencies.ts";
export { allowanceParts, parseAllowance, type Allowance } from "./executor-policy/allowance.ts";
export { executorPolicy, type Allowed, type ExecutorPolicy, type PodParts } from "./executor-policy/executor-excess.ts";
