import type { Clock } from "@kindling/outside";
import { accountToken, type AccountToken, type AskCluster } from "../cluster/account-token.ts";
import type { StagingAccess } from "../gather/staging/staging-access.ts";

/**
 * Tokens of the account `spark.kindling.staging.serviceAccount` for the audience `spark.kindling.staging.audience`, which allow
 * uploads for its namespace.
 */
export function submitterToken(
  { serviceAccount: account, audience }: Pick<StagingAccess, "serviceAccount" | "audience">,
  askCluster: AskCluster,
  clock: Clock,
): AccountToken {
  return accountToken({ account, audience, purpose: UPLOADS }, askCluster, clock);
}

const UPLOADS = {
  service: "the staging server",
  allows: "upload for",
  instead: "give a token of the staging server's own with KINDLING_STAGING_TOKEN",
};
