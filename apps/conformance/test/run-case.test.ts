import { ApiClient } from "@kindling/test-kit/api-client";
import { connectionOf } from "@kindling/test-kit/api-connection";
import { CaseContext, namesOf } from "@kindling/test-kit/case-context";
import { expect, onTestFinished, test } from "vitest";
import { DevCluster } from "@kindling/devcluster";
import type { ConformanceCase } from "../src/conformance-case.ts";
import { runCase } from "../src/run-case.ts";

const metadata = { name: "held", finalizers: ["example.com/wait"] };

test("a case that fails says why, and leaves nothing behind", async () => {
  const { cluster, client, context } = await embeddedCluster();
  const names: string[] = [];
  const failing: ConformanceCase = {
    name: "fails",
    namespace: "own",
    run: async (t) => {
      names.push(t.namespace);
      await t.create(t.path("configmaps"), { metadata });
      throw new Error("as it must");
    },
  };
  await expect(runCase(failing, await connectionOf(cluster.kubeconfig()))).rejects.toThrow("as it must");
  expect(names[0]).toMatch(/^conformance-/);
  await context.untilGone(`/api/v1/namespaces/${names[0] ?? ""}`);
  expect(namesOf(await client.get("/api/v1/namespaces"))).not.toContain(names[0]);
});

test("a case without a namespace touches none", async () => {
  const { cluster, client, context } = await embeddedCluster();
  await context.create(context.path("configmaps"), { metadata });
  const run = async (): Promise<void> => await Promise.reject(new Error("as it must"));
  const failing: ConformanceCase = { name: "fails", namespace: "none", run };
  await expect(runCase(failing, await connectionOf(cluster.kubeconfig()))).rejects.toThrow("as it must");
  const { body } = await client.get(context.path("configmaps", "held"));
  expect(body["metadata"]).toMatchObject(metadata);
});

test("a case does what it put off, also when it fails, the last first", async () => {
  const { cluster } = await embeddedCluster();
  const done: string[] = [];
  const failing: ConformanceCase = {
    name: "fails",
    namespace: "none",
    run: async (t) => {
      t.onEnd(() => done.push("first"));
      t.onEnd(() => done.push("second"));
      await Promise.reject(new Error("as it must"));
    },
  };
  await expect(runCase(failing, await connectionOf(cluster.kubeconfig()))).rejects.toThrow("as it must");
  expect(done).toEqual(["second", "first"]);
});

async function embeddedCluster(): Promise<{ cluster: DevCluster; client: ApiClient; context: CaseContext }> {
  const cluster = await DevCluster.start();
  const client = new ApiClient(await connectionOf(cluster.kubeconfig()));
  const context = new CaseContext(client, "default");
  onTestFinished(async () => {
    await context.end();
    client.close();
    await cluster.stop();
  });
  return { cluster, client, context };
}
