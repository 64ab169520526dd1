import {
  ASSUMED_SPARK_VERSION,
  isOlderThanKnown,
  KindlingError,
  mayBeSparks,
  OLDEST_SPARK_RELEASE,
  parseSparkVersion,
  type Environment,
} from "@kindling/core-spec";

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
        `${source}: "${text}" is no Spark version such as ${ASSUMED_SPARK_VERSION}`,
      );
    }
    return known(text, source, notice);
  }
  const image = entries["spark.kubernetes.driver.container.image"] ?? entries["spark.kubernetes.container.image"];
  const tagged = image === undefined ? undefined : versionOfTag(image);
  if (tagged === undefined) return ASSUMED_SPARK_VERSION;
  if (mayBeSparks(tagged)) return known(tagged, `the tag of ${image}`, notice);
  notice(
    `the tag of ${image} is no version of Spark; ${ASSUMED_SPARK_VERSION} is assumed, spark.kindling.sparkVersion tells`,
  );
  return ASSUMED_SPARK_VERSION;
}

/** `apache/spark:3.5.9-scala2.12-java17-python3-ubuntu` -> `3.5.9`. */
function versionOfTag(image: string): string | undefined {
  const [withoutDigest = ""] = image.split("@");
  const tag = withoutDigest.slice(withoutDigest.lastIndexOf("/") + 1).split(":")[1];
  const match = /^v?(\d+\.\d+\.\d+(?:-preview\d+)?)(?![\d.])/.exec(tag ?? "");
  return match?.[1];
}

function known(version: string, source: string, notice: (message: string) => void): string {
  if (isOlderThanKnown(version)) {
    notice(
      `Spark ${version} (${source}) is older than ${OLDEST_SPARK_RELEASE}; it is treated like ${OLDEST_SPARK_RELEASE}`,
    );
  }
  return version;
}
