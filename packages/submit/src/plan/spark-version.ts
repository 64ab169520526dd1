import {
  ASSUMED_SPARK_VERSION,
  isNewerThanKnown,
  isOlderThanKnown,
  KindlingError,
  mayBeSparks,
  newestOfLine,
  NEWEST_SPARK_RELEASE,
  OLDEST_SPARK_RELEASE,
  parseSparkVersion,
  type Environment,
} from "@kindling/core-spec";

/**
 * The Spark version to follow: `spark.kindling.sparkVersion`, else KINDLING_SPARK_VERSION, else the tag of the image, else
 * the newest version.
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
        { hint: "spark-submit --version in the image tells it" },
      );
    }
    return known(text, source, notice);
  }
  const image = entries["spark.kubernetes.driver.container.image"] ?? entries["spark.kubernetes.container.image"];
  const tagged = image === undefined ? undefined : versionOfTag(image);
  if (tagged !== undefined && mayBeSparks(tagged)) return known(tagged, `the tag of ${image}`, notice);
  if (image === undefined || image === "") return ASSUMED_SPARK_VERSION;
  const newest = newestOfLine(lineOfTag(image));
  const version = newest ?? ASSUMED_SPARK_VERSION;
  const lack = newest === undefined ? "no known version of Spark" : "no more of Spark's version";
  notice(
    `the tag of ${image} tells ${lack}; ${version} is assumed: if it is another, say --conf spark.kindling.sparkVersion=…`,
  );
  return version;
}

/** `apache/spark:3.5.9-scala2.12-java17-python3-ubuntu` -> `3.5.9`. */
function versionOfTag(image: string): string | undefined {
  const match = /^v?(\d+\.\d+\.\d+(?:-preview\d+)?)(?![\d.])/.exec(nameAndTag(image)[1] ?? "");
  return match?.[1];
}

/** `apache/spark:3.5-python3` -> `3.5`. In an image with another name, such a tag may mean anything. */
function lineOfTag(image: string): string {
  const [name = "", tag = ""] = nameAndTag(image);
  const match = name.startsWith("spark") ? /^v?(\d+\.\d+)(?![\d.])/.exec(tag) : null;
  return match?.[1] ?? "";
}

function nameAndTag(image: string): readonly string[] {
  const [withoutDigest = ""] = image.split("@");
  return withoutDigest.slice(withoutDigest.lastIndexOf("/") + 1).split(":");
}

function known(version: string, source: string, notice: (message: string) => void): string {
  if (isOlderThanKnown(version)) {
    notice(
      `Spark ${version} (${source}) is older than ${OLDEST_SPARK_RELEASE}; it is treated like ${OLDEST_SPARK_RELEASE}`,
    );
  }
  if (isNewerThanKnown(version)) {
    notice(
      `Spark ${version} (${source}) is newer than ${NEWEST_SPARK_RELEASE}; it is treated like ${NEWEST_SPARK_RELEASE}`,
    );
  }
  return version;
}
