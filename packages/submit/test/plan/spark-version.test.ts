import { describe, expect, test } from "vitest";
import { ASSUMED_SPARK_VERSION } from "@kindling/core-spec";
import { caughtFrom } from "@kindling/test-kit/caught";
import { resolveSparkVersion } from "../../src/plan/spark-version.ts";

interface Given {
  readonly conf?: string;
  readonly env?: string;
  readonly image?: string;
  readonly driverImage?: string;
}

function resolved({ conf, env, image, driverImage }: Given): { version: string; notices: string[] } {
  const notices: string[] = [];
  const entries = {
    ...(conf !== undefined && { "spark.kindling.sparkVersion": conf }),
    ...(image !== undefined && { "spark.kubernetes.container.image": image }),
    ...(driverImage !== undefined && { "spark.kubernetes.driver.container.image": driverImage }),
  };
  const environment = { KINDLING_SPARK_VERSION: env };
  return { version: resolveSparkVersion(entries, environment, (notice) => notices.push(notice)), notices };
}

describe("the version is", () => {
  test("what the configuration says, before all else", () => {
    expect(resolved({ conf: "4.0.1", env: "4.1.0", image: "spark:3.5.9" }).version).toBe("4.0.1");
  });

  test("else what the environment says", () => {
    expect(resolved({ env: "4.1.0", image: "spark:3.5.9" }).version).toBe("4.1.0");
    expect(resolved({ env: "", image: "spark:3.5.9" }).version).toBe("3.5.9");
  });

  test("else what the driver's image says, before the common one", () => {
    expect(resolved({ driverImage: "spark:4.0.0", image: "spark:3.5.9" }).version).toBe("4.0.0");
  });

  test("else the newest", () => {
    expect(resolved({}).version).toBe(ASSUMED_SPARK_VERSION);
  });
});

describe("the tag of an image", () => {
  test.each([
    ["apache/spark:3.5.9", "3.5.9"],
    ["apache/spark:3.5.9-scala2.12-java17-python3-ubuntu", "3.5.9"],
    ["spark:v4.0.1", "4.0.1"],
    ["docker.io/apache/spark:4.1.0-preview2", "4.1.0-preview2"],
    ["localhost:5000/spark:4.2.1", "4.2.1"],
    ["registry.example.com:5000/team/etl/spark-py:3.5.6", "3.5.6"],
    [`spark:4.0.0@sha256:${"0a".repeat(32)}`, "4.0.0"],
  ])("%s means %s", (image, version) => {
    expect(resolved({ image })).toEqual({ version, notices: [] });
  });

  test.each([
    ["spark"],
    ["apache/spark:latest"],
    ["localhost:5000/spark"],
    ["registry.example.com:5000/team/spark"],
    [`registry:5000/spark@sha256:${"3.5.9".padEnd(64, "0")}`],
    ["spark:3"],
    ["spark:20261121"],
    ["spark:3.5.9.1"],
    ["spark:scala2.13-3.5.9"],
    ["spark:"],
    ["etl:1.4.2"],
    ["etl:0.0.1-rc1"],
    ["etl:12.0.3"],
    ["etl:2026.11.21"],
  ])("%s is none of Spark's, so it is the newest, and the user is told how to say better", (image) => {
    const { version, notices } = resolved({ image });
    expect(version).toBe(ASSUMED_SPARK_VERSION);
    expect(notices).toEqual([expect.stringContaining(image)]);
    expect(notices[0]).toContain("spark.kindling.sparkVersion");
  });
});

test("a tag that tells the line alone means its newest version, with a notice", () => {
  const { version, notices } = resolved({ image: "apache/spark:3.5-python3" });
  expect(version).toMatch(/^3\.5\.\d+$/);
  expect(notices).toEqual([expect.stringContaining(`${version} is assumed`)]);
  expect(resolved({ image: "etl:3.5" }).version).toBe(ASSUMED_SPARK_VERSION);
});

test("a version after those that are known is treated like the newest of them, with a notice", () => {
  const { version, notices } = resolved({ image: "apache/spark:5.0.0" });
  expect(version).toBe("5.0.0");
  expect(notices).toEqual([
    expect.stringMatching(/^Spark 5\.0\.0 \(the tag of .*\) is newer than .*; it is treated like /),
  ]);
});

test("a version before those that are known is treated like the oldest of them, with a notice", () => {
  const { version, notices } = resolved({ conf: "3.4.1" });
  expect(version).toBe("3.4.1");
  expect(notices).toEqual(["Spark 3.4.1 (spark.kindling.sparkVersion) is older than 3.5; it is treated like 3.5"]);
});

test.each([
  [{ conf: "latest" }, "spark.kindling.sparkVersion"],
  [{ conf: "4" }, "spark.kindling.sparkVersion"],
  [{ env: "four" }, "KINDLING_SPARK_VERSION"],
])("%j is refused by the name of its source", (given, source) => {
  const error = caughtFrom(() => resolved(given));
  expect(error.code).toBe("CONF_INVALID");
  expect(error.message).toMatch(new RegExp(`^${source}: "`));
});
