import { NEWEST_SPARK_VERSION } from "@kindling/core-spec";

/** The version of this package; a test holds it to package.json. */
export const VERSION = "0.1.0";

/** What `--version` prints. */
export function versionText(): string {
  return `kindling ${VERSION} (Spark 3.5 to ${NEWEST_SPARK_VERSION.replace(/\.\d+$/, "")})`;
}
