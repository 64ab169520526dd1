import { ManualClock } from "@kindling/outside";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { registerQueueMetrics } from "../../../src/console/metrics/queue-metrics.ts";
import { keptOverview } from "../../../src/console/overview/kept-overview.ts";
import { anApplication, anOverview, aQueue } from "../page/sample-overview.ts";

const NONE = { SchedulingGated: 0, Pending: 0, Running: 0 };
const NO_EXECUTORS = { waiting: 0, admitted: 0, pending: 0, running: 0, leaving: 0, keepers: 0 };

test("there are figures of the capacity and of each queue, in units that Prometheus wants", async () => {
  const registry = new Registry();
  registerQueueMetrics(registry, () => anOverview());
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toContain('gateway_capacity{resource="cpu"} 16');
  expect(lines).toContain('gateway_capacity_used{by="others",resource="cpu"} 0.9');
  expect(lines).toContain('gateway_queue_used{queue="etl.daily",resource="memory"} 12884901888');
  expect(lines).toContain('gateway_queue_guarantee{queue="etl",resource="cpu"} 4');
  expect(lines).toContain('gateway_queue_ceiling{queue="adhoc",resource="cpu"} 4');
  expect(lines).toContain('gateway_queue_share{queue="etl"} 0.375');
  expect(lines).toContain('gateway_queue_weight{queue="etl"} 3');
  expect(lines).toContain('gateway_queue_applications{queue="adhoc",state="SchedulingGated"} 1');
  expect(lines).toContain('gateway_queue_executors_waiting{queue="etl"} 4');
});

test("applications that no queue counts have a figure of their own", async () => {
  const registry = new Registry();
  let overview = anOverview();
  registerQueueMetrics(registry, () => overview);
  const figure = async (): Promise<string | undefined> =>
    /^gateway_applications_without_queue (.*)$/m.exec(await registry.metrics())?.[1];
  expect(await figure()).toBe("0");
  const lost = { state: "SchedulingGated", executors: NO_EXECUTORS } as const;
  overview = anOverview({
    applications: [
      ...overview.applications,
      anApplication("typo", { ...lost, queue: "elt" }),
      anApplication("stranger", { ...lost, queue: "adhoc" }),
    ],
  });
  expect(await figure()).toBe("2");
  overview = anOverview({
    queues: [
      aQueue("etl", { applications: { ...NONE, SchedulingGated: 1 } }),
      aQueue("etl.daily", { applications: NONE }),
    ],
    applications: [anApplication("above", { ...lost, queue: "etl" })],
  });
  expect(await figure(), "in a queue that has others below it").toBe("1");
});

test("a queue that is gone is not told of, and a thousand of them do not swamp anybody", async () => {
  const registry = new Registry();
  let overview = anOverview();
  registerQueueMetrics(registry, () => overview);
  await registry.metrics();
  overview = anOverview({ queues: Array.from({ length: 1000 }, (_, index) => aQueue(`q${index}`)) });
  const text = await registry.metrics();
  expect(text).not.toContain('queue="etl"');
  expect(text.split("\n").filter((line) => line.startsWith("gateway_queue_share"))).toHaveLength(200);
});

test("whoever asks for many things at once is told of one moment", async () => {
  const clock = new ManualClock();
  let looks = 0;
  const overview = keptOverview(clock, () => {
    looks += 1;
    return anOverview({ at: looks });
  });
  expect([overview().at, overview().at]).toEqual([1, 1]);
  await clock.advance(1000);
  expect([overview().at, looks]).toEqual([2, 2]);
});
