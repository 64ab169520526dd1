export { createApplication } from "./apply/create-application.ts";
export { type CreatedPod } from "./apply/created-pod.ts";
export { type CheckResult, checkSubmission } from "./check/check-submission.ts";
export { clusterError, withHint } from "./cluster/cluster-error.ts";
export { type Application, type SubmissionEvent } from "./events.ts";
export { describeContainers, describePod } from "./follow/describe-pod.ts";
export { type Outcome, REPORT_INTERVAL, followApplication } from "./follow/follow-application.ts";
export { followPod } from "./follow/follow-pod.ts";
export { type PodState, hasStarted, podState } from "./follow/pod-state.ts";
export { mainClassOfJar } from "./gather/application/main-class.ts";
export { apiServerUrl, isKubernetesMaster } from "./gather/configuration/master-url.ts";
export { readPropertiesFile } from "./gather/configuration/properties-file.ts";
export { expandGlobs, filePath, resolveUri, resolveUris } from "./gather/configuration/resolve-uri.ts";
export { type Env, sparkConfDir, systemProperties, withSparkEnv } from "./gather/configuration/spark-env.ts";
export { fileStatus } from "./gather/files/file-status.ts";
export { localFiles } from "./gather/files/local-files.ts";
export { readSmallFile } from "./gather/files/read-small-file.ts";
export { CONNECTION_KEYS, clusterAccess, connect, hideCredentials } from "./gather/kubeconfig/connect.ts";
export { withPackages } from "./gather/packages/with-packages.ts";
export { STEPS, contributedSteps } from "./gather/steps/contributed-steps.ts";
export { PACKAGES_KEYS } from "./keys/packages-keys.ts";
export {
  STAGING_AUDIENCE,
  STAGING_CA_FILE,
  STAGING_KEYS,
  STAGING_TOKEN_FILE,
  STAGING_URI,
} from "./keys/staging-keys.ts";
export { seededIdentifiers } from "./plan/identifiers.ts";
export { POD_NAME_PREFIX, planExecutor } from "./plan/plan-executor.ts";
export { type SubmissionInput, type SubmissionPlan, mainApplicationOf, planSubmission } from "./plan/plan.ts";
export { type Prepared, prepareSubmission } from "./plan/prepare.ts";
export { NEWEST_SPARK_VERSION, resolveSparkVersion } from "./plan/spark-version.ts";
export { FILE_UPLOAD_PATH } from "./plan/uploads.ts";
export { cleanError, cleanValue } from "./secrets/clean-error.ts";
export { cleanEvent } from "./secrets/clean-event.ts";
export { type Redaction, learnSecrets, redactObject } from "./secrets/redact-object.ts";
export { REDACTED, redact, secretsBy, secretsIn, withoutUserInfo } from "./secrets/redact.ts";
export { openStaging } from "./stage/open-staging.ts";
export { placeholderBundle } from "./stage/stage-files.ts";
export { submitterToken } from "./stage/submitter-token.ts";
export { withStagedFiles } from "./stage/with-staged-files.ts";
export { checkUploads, upload } from "./upload/upload.ts";
export { parseYaml } from "./yaml/parse-yaml.ts";
