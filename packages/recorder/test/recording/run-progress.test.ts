import { ManualClock } from "@kindling/outside";
import { expect, test } from "vitest";
import { type SparkPod, sparkPod } from "../../src/cluster/spark-pod.ts";
import { RunProgress } from "../../src/recording/run-progress.ts";
import { RunSpool } from "../../src/spool/run-spool.ts";
import { SpoolRoom } from "../../src/spool/spool-room.ts";
import { testFolder } from "../support/archives.ts";
import { driverPod, NAMESPACE } from "../support/recording.ts";

function seen(builder: ReturnType<typeof driverPod>): SparkPod {
  const pod = sparkPod(builder.stored());
  if (pod === undefined) throw new Error("this is no pod of Spark");
  return pod;
}

async function begun(): Promise<{ readonly clock: ManualClock; readonly run: RunProgress }> {
  const [clock, folder] = [new ManualClock(), await testFolder()];
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const room = new SpoolRoom({ folder, most: undefined, clock, log, onFull: () => undefined });
  const spool = await RunSpool.open({ folder, partBytes: 1024, room }, () => undefined);
  const driver = seen(driverPod("daily").running());
  const place = { namespace: NAMESPACE, day: "2026-12-01", driver: "daily", uid: driver.uid };
  return { clock, run: new RunProgress({ place, spool, attempt: 1, driver }) };
}

test("a run is over since its end was seen, and not for longer", async () => {
  const { clock, run } = await begun();
  expect([run.isOver, run.overFor(clock)]).toEqual([false, 0]);
  clock.advanceAtOnce(5_000);
  run.driverSeen(seen(driverPod("daily").succeeded()), false, clock);
  expect([run.isOver, run.overFor(clock)]).toEqual([true, 0]);
  clock.advanceAtOnce(5_000);
  run.driverSeen(run.driver, true, clock);
  expect([run.isGone, run.overFor(clock)]).toEqual([true, 5_000]);
});

test("a run whose driver is gone is over, however its pod was seen last", async () => {
  const { clock, run } = await begun();
  run.driverSeen(run.driver, true, clock);
  expect([run.isOver, run.overFor(clock)]).toEqual([true, 0]);
  run.driverSeen(run.driver, false, clock);
  expect(run.isOver).toBe(true);
});
