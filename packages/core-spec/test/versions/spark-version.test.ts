import { expect, test } from "vitest";
import { isAtLeast, isWithin, parseSparkVersion } from "../../src/index.ts";

test.each([
  ["4.3.0", { major: 4, minor: 3, patch: 0 }],
  ["4.3", { major: 4, minor: 3, patch: 0 }],
  ["4.1.0-preview2", { major: 4, minor: 1, patch: 0 }],
  ["latest", undefined],
  ["4", undefined],
])("%s is read as %o", (text, version) => expect(parseSparkVersion(text)).toEqual(version));

test.each([
  ["4.3.0", "4.3", true],
  ["4.10.0", "4.9", true],
  ["3.5.9", "4.0", false],
  ["4.1.0-preview1", "4.1", true],
])("%s is at least %s: %s", (version, since, expected) => expect(isAtLeast(version, since)).toBe(expected));

test("a span holds its beginning and not its end", () => {
  const span = { since: "4.0", until: "4.2" };
  expect(["3.5.9", "4.0.0", "4.1.4", "4.2.0"].map((version) => isWithin(version, span))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
