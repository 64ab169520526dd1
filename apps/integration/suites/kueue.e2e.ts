import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR } from "../clusters/applications.ts";
import { GATEWAY_HOST, TestGateway } from "../clusters/gateway.ts";
import { GatewayDrivers } from "../clusters/gateway-drivers.ts";
import { HAS_KUEUE, KueueQueues } from "../clusters/kueue.ts";
import { eventually, sparkImage, TRIED_VERSIONS } from "../clusters/test-cluster.ts";

const EXECUTORS = 8;
const MOST = 20;
const TASKS = 60;

const isTried = HAS_KUEUE && GATEWAY_HOST !== undefined;
const why = isTried ? "" : " (KINDLING_E2E_KUEUE does not say that the cluster has Kueue)";

describe.skipIf(!isTried).each(TRIED_VERSIONS)(`executors under the quotas of Kueue, Spark %s${why}`, (version) => {
  let drivers: GatewayDrivers;
  let queues: KueueQueues;

  beforeAll(async () => {
    drivers = await GatewayDrivers.start("kueue", version, (namespace) =>
      TestGateway.start(namespace, GATEWAY_HOST ?? "", { settings: { capacity: "kueue" } }),
    );
    queues = await KueueQueues.create(drivers.namespace, EXECUTORS + 1, sparkImage(version));
  });
  afterAll(async () => {
    await queues.remove();
    await drivers.stop();
  });

  /** The executor pods in the cluster: running ones, and others. */
  async function executors(): Promise<{ readonly running: number; readonly others: number }> {
    const { items } = await drivers.namespace.client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
    const running = items.filter(
      ({ metadata, status }) => status?.phase === "Running" && metadata?.deletionTimestamp === undefined,
    ).length;
    return { running, others: items.length - running };
  }

  async function run(count: number): Promise<void> {
    await eventually(`${count} executors`, async () => (await executors()).running === count);
  }

  test("are as many as the quota allows, beside a Job that borrows it and one that goes before them", async () => {
    await queues.createJob("borrowing", "batch", 4);
    await eventually("a Job that borrows", async () => (await queues.runningOf("borrowing")) === 4);
    const conf = {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
      "spark.dynamicAllocation.minExecutors": "1",
      "spark.dynamicAllocation.maxExecutors": String(MOST),
      "spark.dynamicAllocation.schedulerBacklogTimeout": "1s",
      "spark.executor.instances": "1",
      "spark.decommission.enabled": "true",
      "spark.storage.decommission.enabled": "true",
      "spark.kindling.scheduler.queue": "kueue:spark",
    };
    const running = drivers.begin(conf, `local://${APP_DIR}/wide.py`, String(TASKS), "10");
    await run(EXECUTORS);
    expect(await executors()).toEqual({ running: EXECUTORS, others: 0 });
    await eventually("the other executors, virtual", async () => {
      return (await drivers.gateway.metric("gateway_executors_waiting")) === MOST - EXECUTORS;
    });
    expect(await executors()).toEqual({ running: EXECUTORS, others: 0 });
    expect(await queues.runningOf("borrowing")).toBe(0);

    await queues.createJob("urgent", "spark", 3, true);
    await eventually("a Job that goes before them", async () => (await queues.runningOf("urgent")) === 3);
    expect((await executors()).running).toBeLessThanOrEqual(EXECUTORS - 3);
    await queues.deleteJob("urgent");

    const ended = await running.ended;
    expect(ended.exit, drivers.said(ended)).toBe(0);
    const told = ended.out.split("\n").filter((line) => /^(SUM|FAILED TASKS) /.test(line));
    expect(told, drivers.said(ended)).toEqual([`SUM ${(TASKS * (TASKS - 1)) / 2}`, "FAILED TASKS 0"]);
    await eventually("the Job that borrows, again", async () => (await queues.runningOf("borrowing")) === 4);
    await queues.deleteJob("borrowing");
  });
});
