import type { UploadProgress } from "@kindling/staging-client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { barText } from "../../src/output/transfer-bar.ts";

const HALF: UploadProgress = {
  ...{ files: 120, bytes: 300 * 2 ** 20, filesHashed: 100, bytesHashed: 250 * 2 ** 20 },
  ...{ filesSkipped: 40, bytesSkipped: 50 * 2 ** 20, filesSent: 30, bytesSent: 100 * 2 ** 20 },
  ...{ rate: 12 * 2 ** 20, retries: 0, done: false },
};

describe("the line of a transfer", () => {
  test.each([
    [20, "50 % of 300.0 MiB"],
    [40, "Staging [###---] 150.0 MiB of 300.0 MiB"],
    [60, "Staging [#######--------] 150.0 MiB of 300.0 MiB 12.0 MiB/s"],
    [80, "Staging [#####------] 150.0 MiB of 300.0 MiB 12.0 MiB/s, 40 known to the server"],
    [
      200,
      "Staging [############------------] 150.0 MiB of 300.0 MiB 12.0 MiB/s, 40 known to the server, 20 to look at",
    ],
  ])("in %i columns", (columns, line) => {
    expect(barText(HALF, columns)).toBe(line);
  });

  test("never reaches the last column, whatever the transfer", () => {
    const count = fc.integer({ min: 0, max: 1e6 });
    const bytes = fc.integer({ min: 0, max: 2 ** 50 });
    const progress: fc.Arbitrary<UploadProgress> = fc.record({
      ...{ files: count, bytes, filesHashed: count, bytesHashed: bytes, filesSkipped: count, bytesSkipped: bytes },
      ...{ filesSent: count, bytesSent: bytes, rate: bytes, retries: count, done: fc.boolean() },
    });
    fc.assert(
      fc.property(progress, fc.integer({ min: 24, max: 300 }), (transfer, columns) => {
        expect(barText(transfer, columns).length).toBeLessThan(columns);
      }),
    );
  });
});
