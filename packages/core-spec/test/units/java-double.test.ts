import { expect, test } from "vitest";
import { javaDoubleToString } from "../../src/index.ts";

test.each([
  [0.1, "0.1"],
  [0.4, "0.4"],
  [1, "1.0"],
  [0, "0.0"],
  [-2.5, "-2.5"],
  [0.001, "0.001"],
  [1e-4, "1.0E-4"],
  [1.5e-5, "1.5E-5"],
  [1e7, "1.0E7"],
  [9_999_999, "9999999.0"],
  [Number.POSITIVE_INFINITY, "Infinity"],
])("%d is written as Java writes it: %s", (value, text) => expect(javaDoubleToString(value)).toBe(text));
