import { NEWEST_SPARK_RELEASE, OLDEST_SPARK_RELEASE } from "@kindling/core-spec";

/** The version of this package; a test holds it to package.json. */
export const VERSION = "0.1.0";

/** What `--version` prints. */
export function versionText(): string {
  return `kindling ${VERSION} (Spark ${OLDEST_SPARK_RELEASE} to ${NEWEST_SPARK_RELEASE})`;
}
