import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import { someRounds } from "@kindling/test-kit/rounds";
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { askedBySpark, madeEarly, runEarly } from "../support/early-application.ts";
import { FakeDriver } from "../support/fake-driver.ts";
import { KilledOnce, MOMENTS } from "../support/killed-once.ts";
import { PersistentDriver } from "../support/persistent-driver.ts";

const GATED = { schedulingGates: [{ name: "scheduler.kindling/admission" }] };

/** The gateway's requests to the API server during the life of an application. */
const POINTS: readonly (readonly [what: string, method: string, path: RegExp])[] = [
  ["opens a driver's gate", "PATCH", /\/pods\/drv$/],
  ["asks whose a token is", "POST", /\/tokenreviews$/],
  ["makes an executor", "POST", /\/pods$/],
  ["makes a claim", "POST", /\/persistentvolumeclaims$/],
  ["deletes executors", "DELETE", /\/pods$/],
  ["deletes claims", "DELETE", /\/persistentvolumeclaims$/],
];

describe.each(POINTS)("a gateway that is killed when it %s", (what, method, path) => {
  const moments = someRounds(what, MOMENTS);
  test.each(moments)("%s: the next one goes on; nothing is there twice, nothing is left over", async (moment) => {
    const cluster = await TestCluster.start();
    const isPoint = (request: SeenRequest): boolean => request.method === method && path.test(request.path);
    const gateway = await KilledOnce.start(cluster, isPoint, moment);
    // It runs when its gate has been opened.
    const driver = await FakeDriver.run(cluster, "drv", { spec: GATED });
    const persistent = new PersistentDriver(driver, () => gateway.uri);

    const executors = (await persistent.has(3)).map(({ metadata }) => metadata?.name ?? "");
    const claims = async (): Promise<(string | undefined)[]> =>
      (await cluster.objects<PersistentVolumeClaim>("PersistentVolumeClaim")).map(({ metadata }) => metadata?.name);
    expect(await driver.executorsInCluster()).toEqual(executors);
    const pods = (await cluster.objects<Pod>("Pod")).filter(({ metadata }) => metadata?.name !== "drv");
    const volumes = pods.flatMap(({ spec }) => spec?.volumes ?? []);
    const mounted = volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
    await eventually(async () => expect(await claims()).toEqual(mounted));

    await persistent.deleteAll();
    await eventually(async () => {
      expect(await persistent.executors()).toEqual([]);
      expect([await driver.executorsInCluster(), await claims()]).toEqual([[], []]);
    });
    expect(gateway.isOver).toBe(true);
  });
});

/** The gateway's requests when it creates executors early, and when it hands them over. */
const EARLY_POINTS: readonly (readonly [what: string, method: string, path: RegExp])[] = [
  ["makes the ConfigMap of early executors", "POST", /\/configmaps$/],
  ["makes an early executor", "POST", /\/pods$/],
  ["hands an early executor over", "PATCH", /\/pods\/drv-exec-/],
];

describe.each(EARLY_POINTS)("a gateway that is killed when it %s", (what, method, path) => {
  const moments = someRounds(what, MOMENTS);
  test.each(moments)("%s: the driver has the executors that it wants, and no more are there", async (moment) => {
    const cluster = await TestCluster.start();
    const isPoint = (request: SeenRequest): boolean => request.method === method && path.test(request.path);
    const gateway = await KilledOnce.start(cluster, isPoint, moment);
    const driver = await runEarly(cluster);
    // The driver asks after the request to be interrupted has begun.
    await (method === "PATCH" ? madeEarly(driver, 2) : gateway.killed());
    const persistent = new PersistentDriver(
      driver,
      () => gateway.uri,
      (id) => askedBySpark(driver, id),
    );
    const executors = (await persistent.has(2)).map(({ metadata }) => metadata?.name ?? "");
    await eventually(async () => expect((await driver.executorsInCluster()).sort()).toEqual(executors.sort()));
    await eventually(async () => {
      for (const name of executors) {
        const { metadata } = await driver.made(name);
        expect(metadata?.annotations?.["gateway.kindling/early"]).toBeUndefined();
      }
    });
    expect(gateway.isOver).toBe(true);
  });
});
