export { stagingAccess, tokenKept, type StagingAccess } from "./gather/staging/staging-access.ts";
export { openStaging, type OpenStaging, type StagingCredentials } from "./stage/open-staging.ts";
export type { AccountToken, AskCluster } from "./cluster/account-token.ts";
export { submitterToken } from "./stage/submitter-token.ts";
