import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeApplication } from "../support/fake-application.ts";
import { items } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

test("executors that ask for processors as whole pods get no more than their queue has", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster, { settings: ["--capacity", "cpu=18"] });
  const application = await FakeApplication.submit(cluster, gateway, "greedy");
  await application.started();
  const { driver } = application;
  const client = driver.at(gateway);
  const whole: object = { resources: { requests: { cpu: "8" } } };
  for (const id of [1, 2, 3, 4]) {
    const executor = driver.anExecutor(id).requests({ cpu: "14m" }).spec(whole).build();
    expect((await client.post(driver.path("pods"), executor)).status).toBe(201);
  }
  // The driver has 1 of 18.
  await eventually(() => expect(gateway.overview().queues.at(-1)?.used["cpu"]).toBe(17_000));
  await eventually(async () => {
    const seen: Pod[] = items(await client.get(`${driver.path("pods")}?labelSelector=${driver.executorSelector}`));
    const messages = seen.flatMap(({ status }) => status?.conditions?.map(({ message }) => message ?? "") ?? []);
    expect(messages.filter((message) => message.startsWith("waiting for 8 CPUs"))).toHaveLength(2);
  });
  await eventually(async () => expect(await driver.executorsInCluster()).toHaveLength(2));
});
