import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { Fault } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

/** The faults, one of which every few requests get, one after the other. */
const FAULTS: readonly Fault[] = [
  { kind: "status", status: 500, reason: "InternalError" },
  { kind: "reset", carriedOut: true },
  { kind: "status", status: 429, reason: "TooManyRequests" },
  { kind: "reset", carriedOut: false },
  { kind: "status", status: 503, reason: "ServiceUnavailable" },
];

test("an API server that fails again and again, forgets and starts anew: nothing is there twice, nothing is left over", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--executors-orphan-grace", "2s"] });
  const driver = await FakeDriver.run(cluster, "drv");
  const persistent = new PersistentDriver(driver, () => gateway.uri);
  let requests = 0;
  cluster.api.fault = ({ query }) => {
    requests += 1;
    if (query.get("watch") === "true" || requests % 3 > 0) return undefined;
    return FAULTS[(requests / 3) % FAULTS.length];
  };
  for (const wanted of [2, 4, 6]) {
    const executors = await persistent.has(wanted);
    expect(await driver.executorsInCluster()).toEqual(executors.map(({ metadata }) => metadata?.name));
    cluster.devCluster.faults.compact();
    if (wanted === 4) cluster.api.endWatches({ code: 410, reason: "Expired" });
    else cluster.api.breakConnections();
  }
  await persistent.deleteAll();
  await eventually(async () => {
    expect(await persistent.executors()).toEqual([]);
    expect(await driver.executorsInCluster()).toEqual([]);
    expect(await cluster.objects("PersistentVolumeClaim")).toEqual([]);
  });
});
