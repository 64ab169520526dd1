import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { driverPod, executorPod, recording } from "../support/recording.ts";
import { registryOf, Scraper } from "../support/scraper.ts";

const MINUTE = 60_000;

test("the metrics count what the ledger has, also if the recorder is started again meanwhile", async () => {
  const scene = await recording();
  const { cluster } = scene;
  const monitoring = new Scraper();
  const first = await scene.start();
  const driver = await cluster.createPod(driverPod("daily").requests({ cpu: "1", memory: "1Gi" }).build());
  const executors = [
    await cluster.createPod(executorPod(1, "daily").build()),
    await cluster.createPod(executorPod(2, "daily").build()),
  ];
  for (const executor of executors) cluster.writeLog(executor, [`of ${executor.metadata?.name}`]);
  for (const executor of executors) await scene.untilRead(`of ${executor.metadata?.name}`);
  const begun = Date.now();
  await monitoring.scrapeNew(registryOf(first.meter));
  await eventually(() => expect(Date.now() - begun).toBeGreaterThan(4_000));
  cluster.end(executors[0] ?? driver, 0);
  await cluster.inPhase(executors[0] ?? driver, "Succeeded");
  await first.stop();
  const second = await scene.start();
  const registry = registryOf(second.meter);
  await monitoring.scrapeNew(registry);
  cluster.end(executors[1] ?? driver, 1);
  cluster.end(driver, 1);
  const [run] = await scene.runs(second, 1);
  for (let scrapes = 0; scrapes < 2; scrapes++) {
    await monitoring.scrape(registry);
    scene.skip(2 * MINUTE);
  }
  await monitoring.scrape(registry);
  const coreSeconds = run?.usage.reduce((sum, usage) => sum + usage.coreSeconds, 0) ?? 0;
  expect(coreSeconds).toBeGreaterThan(15);
  const counted = monitoring.increase("recorder_core_seconds_total", 'team="blue"');
  // Kubelets tell whole seconds: a begin may be told as up to one second before the recorder began to count, and an end as
  // before the moment until which was counted.
  expect(counted).toBeGreaterThan(coreSeconds - 5);
  expect(counted).toBeLessThan(coreSeconds + 5);
  expect(monitoring.increase("recorder_runs_ended_total", 'state="failed"')).toBe(1);
});
