import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { someRounds } from "@kindling/test-kit/rounds";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { KilledOnce, MOMENTS } from "../support/killed-once.ts";
import { KUEUE, QuotaOfKueue } from "../support/kueue.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";

const GATED = { schedulingGates: [{ name: "scheduler.kindling/admission" }] };
const SETTINGS = ["--capacity", "kueue", "--queues-preemption-grace", "1s"];

/** The gateway's requests during the life of an application in a LocalQueue. */
const POINTS: readonly (readonly [what: string, method: string, path: RegExp, body: RegExp])[] = [
  ["asks for the core", "POST", /\/workloads$/, /"core"/],
  ["asks for more executors", "POST", /\/workloads$/, /"surplus"/],
  ["says that pods are ready", "PATCH", /\/workloads\/[^/]+\/status$/, /"PodsReady","status":"True"/],
  ["gives an evicted Workload back", "PATCH", /\/workloads\/[^/]+\/status$/, /"admission":null/],
  ["gives up a Workload", "DELETE", /\/workloads\/[^/]+$/, /./],
  ["opens the driver's gate", "PATCH", /\/pods\/drv$/, /./],
  ["makes an executor", "POST", /\/pods$/, /kueue-flavors/],
  ["asks an executor to leave", "DELETE", /\/pods\/drv-exec-/, /./],
];

describe.each(POINTS)("with Kueue, a gateway that is killed when it %s", (what, method, path, body) => {
  test.each(someRounds(`kueue ${what}`, MOMENTS))("%s: no Workload is lost or there twice", async (moment) => {
    const cluster = await TestCluster.start({ definitions: KUEUE });
    const kueue = await QuotaOfKueue.start(cluster, { cpu: 5 });
    const isPoint = (request: SeenRequest): boolean =>
      request.method === method && path.test(request.path) && body.test(JSON.stringify(request.body));
    const gateway = await KilledOnce.start(cluster, isPoint, moment, SETTINGS);
    const driver = await FakeDriver.run(cluster, "drv", {
      spec: { ...GATED, containers: [containerOf("spark-kubernetes-driver")] },
      labels: { "scheduler.kindling/gateway": "true" },
      annotations: { "scheduler.kindling/min-executors": "1" },
    });
    const executorSpec = { containers: [containerOf("spark-kubernetes-executor")] };
    const persistent = new PersistentDriver(
      driver,
      () => gateway.uri,
      (id) => driver.executor(id, { spec: executorSpec }),
    );
    // The driver goes on to ask: executors that only a gateway knew are lost with it.
    const settles = async (total: object): Promise<void> =>
      await eventually(async () => {
        await persistent.has(3);
        expect(await kueue.total()).toEqual(total);
      });
    await settles({ had: 4, waiting: 0 });
    await kueue.job("urgent", 2, 100);
    await eventually(async () => expect((await kueue.summary())["urgent"]).toBe("has 2"));
    await settles({ had: 5, waiting: 1 });
    await kueue.finish("urgent");
    await settles({ had: 4, waiting: 0 });

    await persistent.deleteAll();
    await eventually(async () => {
      expect(await driver.executorsInCluster()).toEqual([]);
      expect(await kueue.summary()).toEqual({ "drv-core": "has 2" });
    });
    expect(gateway.isOver).toBe(true);
  });
});

function containerOf(name: string) {
  return { name, image: "spark", resources: { requests: { cpu: "1" } } };
}
