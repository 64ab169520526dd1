export { stagingAccess, tokenKept, type StagingAccess } from "./gather/staging/staging-access.ts";
export { openStaging, type OpenStaging, type StagingCredentials } from "./stage/open-staging.ts";
export { submitterToken, type AskCluster, type SubmitterToken } from "./stage/submitter-token.ts";
