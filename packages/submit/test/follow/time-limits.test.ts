import { describe, expect, test } from "vitest";
import { follow } from "../fixtures/followed.ts";

const UNSCHEDULED = { "spark.kubernetes.driver.scheduler.name": "nobody" };

describe("a limit of time", () => {
  test("to the driver's start ends the following of one that waits, and tells how it is; it goes on", async () => {
    const { cluster, events, result } = await follow({ conf: UNSCHEDULED, pendingTimeoutMs: 2_000 });
    expect((await result).outcome).toMatchObject({
      phase: "TimedOut",
      limit: "pending-timeout",
      diagnosis: { state: "Pending" },
    });
    expect(events.at(-1)).toMatchObject({ type: "diagnosis" });
    expect((await cluster.driver()).metadata?.deletionTimestamp).toBeUndefined();
  });

  test("to the driver's start is kept by one that has started", async () => {
    const { result, run, finish } = await follow({ pendingTimeoutMs: 60_000 });
    await run();
    await finish(0);
    expect((await result).outcome).toEqual({ phase: "Succeeded", exitCode: 0 });
  });

  test("to the end ends the following of one that runs", async () => {
    const { result, run } = await follow({ timeoutMs: 2_000 });
    await run();
    expect((await result).outcome).toMatchObject({
      phase: "TimedOut",
      limit: "timeout",
      diagnosis: { state: "Running" },
    });
  });
});
