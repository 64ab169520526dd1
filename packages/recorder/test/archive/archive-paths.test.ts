import fc from "fast-check";
import { expect, test } from "vitest";
import { isName } from "@kindling/recorder-client";
import { logPath, recordPath } from "../../src/archive/archive-paths.ts";

const PLACE = { namespace: "etl", day: "2026-11-21", driver: "daily-driver", uid: "0b1e2c" };

test("a run has a folder of its own, by namespace, day and driver", () => {
  expect(recordPath(PLACE)).toBe("v1/runs/etl/2026-11-21/daily-driver/0b1e2c/run.json");
});

test("the parts of a log are in order", () => {
  expect(logPath(PLACE, "executor-17", 12)).toBe(
    "v1/runs/etl/2026-11-21/daily-driver/0b1e2c/logs/executor-17/000012.log.gz",
  );
});

test("no name leads out of a folder", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const isSafe = !text.includes("/") && !text.includes("\\") && !text.startsWith(".") && !text.includes("..");
      expect(isName(text) && !isSafe).toBe(false);
    }),
  );
  expect(() => logPath({ ...PLACE, driver: "../other" }, "driver", 1)).toThrow("is no name for the archive");
});
