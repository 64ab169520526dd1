import { expect, test } from "vitest";
import { stillPromised } from "../../src/gateway/still-promised.ts";

test("an executor of which more is known is not promised any more", () => {
  const names = ["exec-1", "exec-2", "exec-3", "exec-4", "exec-5", "exec-6"].map((name) => `pi-${name}`);
  const known = {
    "pi-exec-1": "PENDING",
    "pi-exec-2": "RUNNING",
    "pi-exec-3": "COMPLETED",
    "pi-exec-4": "FAILED",
    "pi-exec-5": "UNKNOWN",
  } as const;
  expect(stillPromised(names, known, 1000)).toEqual(["pi-exec-1", "pi-exec-5", "pi-exec-6"]);
});

test("executors of higher ids than are tracked are left out", () => {
  expect(stillPromised(["pi-exec-9", "pi-exec-10", "pi-exec-11", "other"], {}, 10)).toEqual([
    "pi-exec-9",
    "pi-exec-10",
    "other",
  ]);
});
