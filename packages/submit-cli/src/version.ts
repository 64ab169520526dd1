import { NEWEST_SPARK_RELEASE, OLDEST_SPARK_RELEASE } from "@kindling/core-spec";

/** The version of this package; a test compares it with package.json. */
export const VERSION = "0.1.0";

/** The output of `--version`. */
export function versionText(): string {
  return `kindling ${VERSION} (Spark ${OLDEST_SPARK_RELEASE} to ${NEWEST_SPARK_RELEASE})`;
}
