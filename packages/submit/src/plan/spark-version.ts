import {
  KindlingError,
  isAtLeast,
  NEWEST_SPARK_VERSION,
  parseSparkVersion,
  type Environment,
} from "@kindling/core-spec";

const OLDEST_SPARK_VERSION = "3.5";

/**
 * Whose behaviour is wanted: what `spark.kindling.sparkVersion` says, else KINDLING_SPARK_VERSION, else the tag of the
 * image, else the newest version.
 */
export function resolveSparkVersion(
  entries: Readonly<Record<string, string>>,
  env: Environment,
  notice: (message: string) => void,
): string {
  for (const [source, text] of [
    ["spark.kindling.sparkVersion", entries["spark.kindling.sparkVersion"]],
    ["KINDLING_SPARK_VERSION", env["KINDLING_SPARK_VERSION"]],
  ] as const) {
    if (text === undefined || text === "") continue;
    if (parseSparkVersion(text) === undefined) {
      throw new KindlingError(
        "CONF_INVALID",
        `${source}: "${text}" is no Spark version such as ${NEWEST_SPARK_VERSION}`,
      );
    }
    return known(text, source, notice);
  }
  const image = entries["spark.kubernetes.driver.container.image"] ?? entries["spark.kubernetes.container.image"];
  const tagged = image === undefined ? undefined : versionOfTag(image);
  if (tagged === undefined) return NEWEST_SPARK_VERSION;
  if (mayBeSparks(tagged)) return known(tagged, `the tag of ${image}`, notice);
  notice(
    `the tag of ${image} is no version of Spark; ${NEWEST_SPARK_VERSION} is assumed, spark.kindling.sparkVersion tells`,
  );
  return NEWEST_SPARK_VERSION;
}

/** Images of applications have versions of their own: Spark's are those since it runs on Kubernetes, up to the next major. */
function mayBeSparks(version: string): boolean {
  const newestMajor = parseSparkVersion(NEWEST_SPARK_VERSION)?.major ?? 0;
  return isAtLeast(version, "2.3") && !isAtLeast(version, `${newestMajor + 2}.0`);
}

/** `apache/spark:3.5.9-scala2.12-java17-python3-ubuntu` -> `3.5.9`. */
function versionOfTag(image: string): string | undefined {
  const [withoutDigest = ""] = image.split("@");
  const tag = withoutDigest.slice(withoutDigest.lastIndexOf("/") + 1).split(":")[1];
  const match = /^v?(\d+\.\d+\.\d+(?:-preview\d+)?)(?![\d.])/.exec(tag ?? "");
  return match?.[1];
}

function known(version: string, source: string, notice: (message: string) => void): string {
  if (!isAtLeast(version, OLDEST_SPARK_VERSION)) {
    notice(
      `Spark ${version} (${source}) is older than ${OLDEST_SPARK_VERSION}; it is treated like ${OLDEST_SPARK_VERSION}`,
    );
  }
  return version;
}
