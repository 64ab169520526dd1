import { expect, test } from "vitest";
import { formatProgress } from "../../src/output/progress.ts";

const MIB = 1024 * 1024;

test.each([
  [0, 430 * MIB, "fetching Spark 4.3.0: 0 of 430 MiB"],
  [12.6 * MIB, 430 * MIB, "fetching Spark 4.3.0: 13 of 430 MiB"],
  [12 * MIB, undefined, "fetching Spark 4.3.0: 12 MiB"],
])("%d of %s bytes", (done, total, text) => {
  expect(formatProgress({ what: "fetching Spark 4.3.0", done, total })).toBe(text);
});
