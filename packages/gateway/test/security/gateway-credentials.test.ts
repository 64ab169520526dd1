import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { SeenRequest } from "@kindling/test-kit/api-recorder";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";

/** A request without its credentials. */
function contentOf({ method, path, query, body }: SeenRequest): string {
  return JSON.stringify([method, path, query.toString(), body]);
}

/** Everything that people, Prometheus and drivers can see. */
async function shown(gateway: TestGateway, driver: FakeDriver): Promise<string> {
  const pages = await Promise.all(
    ["metrics", "readyz", "", "api/overview"].map(async (path) =>
      (await fetch(new URL(path, gateway.adminUri))).text(),
    ),
  );
  const client = driver.at(gateway);
  const answers = [await client.get(driver.path("pods")), await client.get(driver.path("pods", "nobody"))];
  return [...gateway.lines, ...pages, ...answers.map(({ text }) => text)].join("\n");
}

test("C23, C24: the gateway's own token goes to the API server as a proof, a driver's as a question, and neither anywhere else", async () => {
  const cluster = await TestCluster.start();
  await cluster.send("POST", "/api/v1/namespaces/elsewhere/serviceaccounts", { metadata: { name: "gateway" } });
  const own = cluster.devCluster.serviceAccountToken("elsewhere", "gateway");
  const gateway = await startTestGateway(cluster, { token: own });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  // An API server that quotes the request in an error.
  let echoes = 2;
  cluster.api.fault = ({ path, body }) => {
    if (echoes === 0 || path !== REVIEWS) return undefined;
    echoes -= 1;
    return {
      kind: "status",
      status: 400,
      reason: "BadRequest",
      message: `cannot take ${JSON.stringify(body)}, ${own}`,
    };
  };
  for (let time = 0; time < 2; time += 1) {
    const answer = await client.get(driver.path("pods"));
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain(driver.token);
    expect(answer.text).not.toContain(own);
  }
  expect((await client.post(driver.path("pods"), driver.executor(1))).status).toBe(201);
  await cluster.inPhase(await driver.made("drv-exec-1"), "Running");
  await eventually(async () => {
    expect((await client.get(driver.path("pods", "drv-exec-1"))).body).toMatchObject({ status: { phase: "Running" } });
  });

  const { requests } = cluster.api;
  expect(new Set(requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${own}`]));
  const asking = requests.filter((request) => contentOf(request).includes(driver.token));
  expect(new Set(asking.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set([`POST ${REVIEWS}`]));
  for (const request of requests) expect(contentOf(request)).not.toContain(own);
  const pods = JSON.stringify(await cluster.objects<Pod>("Pod"));
  for (const text of [pods, await shown(gateway, driver)]) {
    expect(text).not.toContain(driver.token);
    expect(text).not.toContain(own);
  }
});
