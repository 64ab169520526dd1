import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionOf } from "@kindling/test-kit/api-connection";
import { at, CaseContext } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { onTestFinished } from "vitest";
import { DevCluster, type DevClusterOptions } from "../../src/index.ts";

/** A cluster for one test, with an administrator in namespace `default`. */
export interface Scene {
  readonly cluster: DevCluster;
  readonly client: ApiClient;
  readonly context: CaseContext;
}

/** Starts a cluster that ends with the test. */
export async function testCluster(options: DevClusterOptions = {}): Promise<Scene> {
  const cluster = await DevCluster.start(options);
  const client = new ApiClient(await connectionOf(cluster.kubeconfig()));
  const context = new CaseContext(client, "default");
  onTestFinished(async () => {
    await context.end();
    client.close();
    await cluster.stop();
  });
  return { cluster, client, context };
}

/** A pod with one container named `main`, controlled by annotations without their prefix. */
export function hollowPod(name: string, script: Record<string, string> = {}, spec: JsonObject = {}): JsonObject {
  const annotations = Object.entries(script).map(([key, value]) => [`hollow.devcluster.kindling/${key}`, value]);
  return {
    metadata: { name, annotations: Object.fromEntries(annotations) as JsonObject },
    spec: { containers: [{ name: "main", image: "example/image:1" }], ...spec },
  };
}

/** The status of a pod in namespace `default`. */
export async function statusOf({ client, context }: Scene, name: string): Promise<JsonObject> {
  const { body } = await client.get(context.path("pods", name));
  return (body["status"] ?? {}) as JsonObject;
}

/** Waits until a member of a pod's status has the wanted value, and returns the status. */
export async function untilStatus(
  { client, context }: Scene,
  name: string,
  path: string,
  wanted: unknown,
): Promise<JsonObject> {
  const { body } = await context.until(
    async () => await client.get(context.path("pods", name)),
    (answer) => at(answer.body, `status.${path}`) === wanted,
    `${path} to be ${String(wanted)}`,
  );
  return body["status"] as JsonObject;
}

/** The reasons of a pod's events, in the order of their names. */
export async function eventReasons({ client, context }: Scene, name: string): Promise<string[]> {
  const { body } = await client.get(`${context.path("events")}?fieldSelector=involvedObject.name%3D${name}`);
  return (body["items"] as JsonObject[]).map((event) => String(event["reason"])).sort();
}
