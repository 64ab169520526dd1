import { type DriverRequest, driverTraffic } from "@kindling/recordings";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import { openWatch } from "@kindling/test-kit/event-stream";
import { openWebSocket } from "@kindling/test-kit/web-socket-watch";
import { expect, onTestFinished, test } from "vitest";
import { FakeDriver } from "./support/fake-driver.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const recordings = driverTraffic();

test.each(recordings.map(({ sparkVersion, name, requests }) => [sparkVersion, name, requests] as const))(
  "what a driver of Spark %s asked for (%s) gets the answers that it needs",
  async (_version, _name, requests) => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const client = driver.at(gateway);
    let version = "";
    for (const request of requests) version = (await replay(client, filledIn(request, driver), version)) ?? version;
    const deletesAll = requests.some(({ method, path }) => method === "DELETE" && path.endsWith("/pods"));
    const asked = requests.filter(({ method, path }) => method === "POST" && path.endsWith("/pods"));
    await eventually(async () => {
      expect(await driver.executorsInCluster()).toHaveLength(deletesAll ? 0 : asked.length);
    });
  },
);

/** The request as this driver would make it. */
function filledIn(request: DriverRequest, driver: FakeDriver): DriverRequest {
  const text = JSON.stringify(request)
    .replaceAll('"uid": "{uuid}"', `"uid": "${driver.uid}"`)
    .replaceAll('"uid":"{uuid}"', `"uid":"${driver.uid}"`)
    .replaceAll("{uuid}", "5fbf4b46-1c0f-4b1c-9d0f-1d0a3c1d2e3f")
    .replaceAll("{namespace}", driver.namespace)
    .replaceAll("{appId}", driver.app)
    .replaceAll("{id}", "0a1b2c3d4e5f6071");
  return JSON.parse(text) as DriverRequest;
}

/** Makes a request, expects the recorded answer, and returns the version of a list. */
async function replay(client: ApiClient, request: DriverRequest, version: string): Promise<string | undefined> {
  const { method, body } = request;
  const query = new URLSearchParams(request.query);
  if (query.has("resourceVersion")) query.set("resourceVersion", version);
  const path = `${request.path}?${query.toString()}`;
  if (query.get("watch") === "true") {
    await watch(client, path, request.upgrade !== null);
    return undefined;
  }
  const options = request.type === null ? {} : { headers: { "Content-Type": request.type } };
  const answer = await client.request(method, path, body ?? undefined, options);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(request.status);
  const { metadata } = answer.body as { readonly metadata?: { readonly resourceVersion?: string } };
  return metadata?.resourceVersion;
}

async function watch(client: ApiClient, path: string, isUpgrade: boolean): Promise<void> {
  if (isUpgrade) {
    const upgrade = await openWebSocket(client, path);
    if (upgrade.kind !== "open") throw new Error(`${path}: ${upgrade.status}`);
    expect(upgrade.accepted).toBe(true);
    upgrade.events.close();
    return;
  }
  const stream = await openWatch(client, path);
  onTestFinished(() => stream.close());
}
