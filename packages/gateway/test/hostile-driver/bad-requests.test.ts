import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { startTestGateway } from "../support/test-gateway.ts";

const LONG = "x".repeat(3 * 1024 * 1024);
const DEEP = `${'{"spec":'.repeat(20_000)}1${"}".repeat(20_000)}`;

test("whatever a driver sends is answered with a Status, reaches nobody else, and the next request is served", async () => {
  const cluster = await TestCluster.start();
  const gateway = await startTestGateway(cluster);
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  expect((await client.get(driver.path("pods"))).status).toBe(200);
  const writes = cluster.api.writes.length;
  const [pods, own] = [driver.path("pods"), driver.path("pods", "drv")];
  const json = "application/json-patch+json";
  const merge = "application/merge-patch+json";
  const selector = (text: string): string => `${pods}?labelSelector=${encodeURIComponent(text)}`;
  const bad: readonly (readonly [
    status: number | readonly number[],
    method: string,
    path: string,
    body?: string,
    type?: string,
  ])[] = [
    [400, "GET", selector("a in (")],
    [400, "GET", selector("=".repeat(500))],
    [400, "GET", `${pods}?fieldSelector=${encodeURIComponent("a=b=c,,")}`],
    [400, "GET", `${pods}?limit=many`],
    [400, "GET", `${pods}?continue=nonsense`],
    [400, "GET", `${pods}?watch=true&resourceVersion=old`],
    [400, "DELETE", selector("!!")],
    [400, "POST", pods, "["],
    [400, "POST", pods, '"text"'],
    [400, "POST", pods, '{"metadata":5}'],
    [422, "POST", pods, '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"a"}}'],
    [400, "POST", pods, DEEP],
    [400, "PATCH", own, DEEP, merge],
    [400, "DELETE", own, DEEP],
    // Kubernetes' answer to options that are not JSON.
    [500, "DELETE", own, "["],
    [413, "POST", pods, `{"metadata":{"name":"${LONG}"}}`],
    [415, "PATCH", own, "{}", "text/plain"],
    [400, "PATCH", own, "{", merge],
    [400, "PATCH", own, '{"op":"add"}', json],
    [[400, 422], "PATCH", own, '[{"op":"launch","path":"/metadata/labels"}]', json],
    [[400, 422], "PATCH", own, '[{"op":"remove","path":"/metadata/labels/no-such"}]', json],
    [403, "PATCH", own, '[{"op":"remove","path":"/no/such/thing"}]', json],
    [403, "PATCH", own, '{"spec":{"nodeName":"n"}}', merge],
    [413, "PATCH", own, `{"metadata":{"labels":{"a":"${LONG}"}}}`, merge],
    [403, "GET", "/apis/no.such.group/v7/namespaces/spark-jobs/things"],
    [403, "GET", `${pods}/../../../secrets`],
    [403, "GET", "/api/v1/namespaces/%2e%2e/pods"],
  ];
  for (const [status, method, path, body, type = "application/json"] of bad) {
    const answer = await client.request(method, path, body, { headers: { "Content-Type": type } });
    const what = `${method} ${path.slice(0, 120)} ${body?.slice(0, 60) ?? ""}: ${answer.text.slice(0, 300)}`;
    expect(typeof status === "number" ? [status] : status, what).toContain(answer.status);
    expect(answer.body, what).toMatchObject({ kind: "Status", status: "Failure", code: answer.status });
    expect(answer.text.length, what).toBeLessThan(8 * 1024);
  }
  expect(cluster.api.writes.slice(writes)).toEqual([]);
  expect((await client.get(pods)).status).toBe(200);
});
