import { describe, expect, test } from "vitest";
import {
  ASSUMED_SPARK_VERSION,
  differencesSince,
  isOlderThanKnown,
  mayBeSparks,
  NEWEST_SPARK_RELEASE,
  OLDEST_SPARK_RELEASE,
  parseSparkVersion,
  releaseOf,
  SPARK_RELEASES,
  sparkVersionOf,
  type SparkDifference,
} from "../../src/index.ts";

test.each([
  ["4.3.0", { major: 4, minor: 3, patch: 0 }],
  ["4.3", { major: 4, minor: 3, patch: 0 }],
  ["4.1.0-preview2", { major: 4, minor: 1, patch: 0 }],
  ["latest", undefined],
  ["4", undefined],
])("%s is read as %o", (text, parts) => expect(parseSparkVersion(text)).toEqual(parts));

describe("a version has a difference", () => {
  test.each([
    ["3.5.9", "connect-port", false],
    ["4.0.5", "connect-port", false],
    ["4.1", "connect-port", true],
    ["4.1.0-preview1", "connect-port", true],
    ["4.1.4", "network-policy", false],
    ["4.3.0", "network-policy", true],
    // Newer than all known versions: like the newest.
    ["4.10.0", "proxy-user-in-pod", true],
    ["12.0.0", "proxy-user-in-pod", true],
    // Older than all known versions, and no version at all: like the oldest.
    ["3.4.1", "label-placeholders", false],
    ["", "label-placeholders", false],
  ] as const)("%s, %s: %s", (version, difference, expected) => {
    expect(sparkVersionOf(version).has(difference)).toBe(expected);
  });
});

test("a row of a list holds from one difference on, and before another", () => {
  const holding = (row: Parameters<ReturnType<typeof sparkVersionOf>["holds"]>[0]): string[] =>
    ["3.5.9", "4.0.0", "4.1.4", "4.2.0", ""].filter((version) => sparkVersionOf(version).holds(row));
  expect(holding({})).toEqual(["3.5.9", "4.0.0", "4.1.4", "4.2.0", ""]);
  expect(holding({ from: "label-placeholders" })).toEqual(["4.0.0", "4.1.4", "4.2.0"]);
  expect(holding({ before: "network-policy" })).toEqual(["3.5.9", "4.0.0", "4.1.4", ""]);
  expect(holding({ from: "label-placeholders", before: "network-policy" })).toEqual(["4.0.0", "4.1.4"]);
});

describe("the table of differences", () => {
  const rows = SPARK_RELEASES.flatMap((release) =>
    Object.entries(differencesSince(release)).map(([name, row]) => ({ release, name, ...row })),
  );

  test("names each difference once", () => {
    expect(rows.map(({ name }) => name)).toEqual([...new Set(rows.map(({ name }) => name))]);
  });

  test.each(rows)("tells of $name what is so, and where that shows", ({ release, name, what, source }) => {
    expect(releaseOf(name as SparkDifference)).toBe(release);
    expect(what).toMatch(/\S \S/);
    // A file of Spark, or of a library of Spark, or that library.
    expect(source).toMatch(/^(?:[\w-]+ [\d.]+, )?[\w./]+\.(?:scala|java|py|xml)\b|^scala\.|^[\w-]+ [\d.]+, [\w-]+$/);
  });

  test("has the releases in order", () => {
    const order = SPARK_RELEASES.map((release) => parseSparkVersion(release));
    expect(order).toEqual(
      [...order].sort((a, b) => (a?.major ?? 0) - (b?.major ?? 0) || (a?.minor ?? 0) - (b?.minor ?? 0)),
    );
  });
});

describe("the versions that are known", () => {
  test("reach from the oldest to the newest release, whose first version is assumed", () => {
    expect([SPARK_RELEASES[0], SPARK_RELEASES.at(-1)]).toEqual([OLDEST_SPARK_RELEASE, NEWEST_SPARK_RELEASE]);
    expect(ASSUMED_SPARK_VERSION).toBe(`${NEWEST_SPARK_RELEASE}.0`);
  });

  test.each([
    ["3.4.4", true],
    [`${OLDEST_SPARK_RELEASE}.0`, false],
    [ASSUMED_SPARK_VERSION, false],
  ])("%s is older than they: %s", (version, expected) => expect(isOlderThanKnown(version)).toBe(expected));

  test.each([
    ["1.4.2", false],
    ["2.3.0", true],
    ["5.1.0", true],
    ["6.0.0", false],
    ["2026.11.21", false],
  ])("%s may be one of Spark's: %s", (version, expected) => expect(mayBeSparks(version)).toBe(expected));
});
