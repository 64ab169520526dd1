import { expect, test } from "vitest";
import { connectionOf } from "../../src/conformance/client/connection.ts";
import { namesOf } from "../../src/conformance/case-context.ts";
import { type ConformanceCase, runCase } from "../../src/conformance/index.ts";
import { testCluster } from "../support/test-cluster.ts";

const metadata = { name: "held", finalizers: ["example.com/wait"] };

test("a case that fails says why, and leaves nothing behind", async () => {
  const { cluster, client, context } = await testCluster();
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
  const { cluster, client, context } = await testCluster();
  await context.create(context.path("configmaps"), { metadata });
  const run = async (): Promise<void> => await Promise.reject(new Error("as it must"));
  const failing: ConformanceCase = { name: "fails", namespace: "none", run };
  await expect(runCase(failing, await connectionOf(cluster.kubeconfig()))).rejects.toThrow("as it must");
  const { body } = await client.get(context.path("configmaps", "held"));
  expect(body["metadata"]).toMatchObject(metadata);
});

test("a case does what it put off, also when it fails, the last first", async () => {
  const { cluster } = await testCluster();
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
