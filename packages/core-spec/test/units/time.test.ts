import { expect, test } from "vitest";
import { parseTime } from "../../src/index.ts";

test.each([
  ["30", "s", 30],
  ["1500ms", "s", 1],
  ["-1500ms", "s", -1],
  ["2min", "ms", 120_000],
  ["2m", "s", 120],
  ["1h", "min", 60],
  ["1d", "s", 86_400],
  ["999us", "ms", 0],
] as const)("%j in %s is %d", (text, unit, value) => expect(parseTime(text, unit)).toBe(value));

test.each(["", "s", "1.5s", "1 s", "1y"])("%j is no duration", (text) => expect(parseTime(text, "s")).toBeUndefined());
