import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { sendJson, startStub } from "@kindling/test-kit/stub-server";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "../../support/fake-driver.ts";
import { APP, runs, submit } from "../../support/restartable.ts";
import { startTestGateway } from "../../support/test-gateway.ts";

test("before a driver is started again, its ended executors are deleted when their logs are read", async () => {
  const cluster = await TestCluster.start();
  const executorsAtAnswer: string[][] = [];
  const recorder = await startStub(({ body }, response) => {
    void driver.executorsInCluster().then((names) => {
      executorsAtAnswer.push(names);
      const { pods } = JSON.parse(body) as { readonly pods: readonly { readonly uid: string }[] };
      sendJson(response, { pods: pods.map(({ uid }) => ({ uid, end: "recorded" })) });
    });
  });
  const gateway = await startTestGateway(cluster, { settings: ["--recorder-uri", recorder.url] });
  const first = await submit(cluster);
  const driver = await FakeDriver.of(cluster, first, APP);
  const client = driver.at(gateway);
  await client.post(driver.path("pods"), driver.executor(1));
  const executor = await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  cluster.end(executor, 1);
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Failed" } });
  });

  cluster.end(first, 1);

  await runs(cluster, 1);
  expect(executorsAtAnswer).toEqual([["drv-exec-1"]]);
  const left = (await cluster.objects<Pod>("Pod")).map(({ metadata }) => metadata?.name);
  expect(left).not.toContain("drv-exec-1");
});
