import { TestCluster } from "@kindling/test-cluster/test-cluster";
import type { ApiClient } from "@kindling/test-kit/api-client";
import { eventually } from "@kindling/test-kit/eventually";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import type { Container, PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../support/fake-driver.ts";
import { startTestGateway, type TestGateway } from "../support/test-gateway.ts";

const CONTAINER = "spark-kubernetes-executor";

function container(memory: string): Container {
  return { name: CONTAINER, image: "spark", resources: { requests: { memory }, limits: { memory } } };
}

/** The body that Spark's ExecutorResizePlugin sends, in the form of its client. */
function resizeTo(memory: string, changes: object = {}): object {
  const resources = { limits: { memory }, requests: { memory } };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {},
    spec: { containers: [{ name: CONTAINER, resources, ...changes }] },
  };
}

interface Scene {
  readonly cluster: TestCluster;
  readonly gateway: TestGateway;
  readonly driver: FakeDriver;
  readonly client: ApiClient;
  readonly resize: (name: string, patch: object) => Promise<{ readonly status: number; readonly message: string }>;
  readonly memoryOf: (name: string) => Promise<string | undefined>;
}

/** A driver with two running executors of 1 GiB, in a queue with a ceiling of 4 GiB. */
async function scene(): Promise<Scene> {
  const cluster = await TestCluster.start();
  const file = scratchFolder().write("queues.yaml", "queues:\n  - name: default\n    ceiling: { memory: 4Gi }\n");
  const gateway = await startTestGateway(cluster, { settings: ["--queues-file", file] });
  const driver = await FakeDriver.run(cluster, "drv");
  const client = driver.at(gateway);
  for (const id of [1, 2]) {
    await client.post(driver.path("pods"), driver.executor(id, { spec: { containers: [container("1Gi")] } }));
    await cluster.inPhase(await driver.made(`drv-exec-${id}`), "Running");
  }
  await eventually(() => expect(gateway.overview().queues.at(-1)?.used["memory"]).toBe(2 * 1024 ** 3));
  return {
    ...{ cluster, gateway, driver, client },
    async resize(name, patch) {
      const ask = () => client.patch(`${driver.path("pods", name)}/resize`, "strategic", patch);
      // As Spark's client does when it asks too often.
      const { status, body } = await eventually(async () => {
        const answer = await ask();
        expect(answer.status).not.toBe(429);
        return answer;
      });
      return { status, message: String(body["message"] ?? "") };
    },
    async memoryOf(name) {
      const { spec } = (await cluster.send("GET", driver.path("pods", name))) as Pod;
      return spec?.containers[0]?.resources?.requests?.["memory"];
    },
  };
}

describe("an executor that Spark's resize plug-in grows", () => {
  test("grows as far as its queue goes, and is refused more", async () => {
    const { resize, memoryOf } = await scene();
    expect(await resize("drv-exec-1", resizeTo("3221225472"))).toEqual({ status: 200, message: "" });
    expect(await memoryOf("drv-exec-1")).toBe("3221225472");
    const refused = await resize("drv-exec-2", resizeTo("1181116006"));
    expect(refused.status).toBe(403);
    expect(refused.message).toMatch(/the ceiling of queue default leaves too little for it/);
    expect(await memoryOf("drv-exec-2")).toBe("1Gi");
    // An executor that shrinks makes room.
    expect((await resize("drv-exec-1", resizeTo("1Gi"))).status).toBe(200);
    await eventually(async () => expect((await resize("drv-exec-2", resizeTo("3Gi"))).status).toBe(200));
  });

  test("is counted at once: of many that ask together no more grow than there is room for", async () => {
    const { resize } = await scene();
    const answers = await Promise.all(
      ["drv-exec-1", "drv-exec-2", "drv-exec-1", "drv-exec-2"].map((name) => resize(name, resizeTo("3Gi"))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("is decided on a few times a second, however often its driver asks", async () => {
    const { client, driver } = await scene();
    const path = `${driver.path("pods", "drv-exec-1")}/resize`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.patch(path, "strategic", resizeTo("64Gi"))),
    );
    expect(answers.filter(({ status }) => status !== 429).length).toBeLessThan(10);
    expect(answers.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("1");
  });

  test("changes nothing else, and nobody else's", async () => {
    const { cluster, gateway, client, driver, resize, memoryOf } = await scene();
    const other = await FakeDriver.run(cluster, "other");
    const refusals: readonly (readonly [object, RegExp])[] = [
      [resizeTo("2Gi", { image: "evil" }), /spec\.containers\[0\]\.image/],
      [resizeTo("2Gi", { name: "sidecar" }), /spec\.containers\["sidecar"\]/],
      [{ ...resizeTo("2Gi"), spec: { resources: { requests: { memory: "2Gi" } } } }, /spec\.resources/],
      [{ ...resizeTo("2Gi"), metadata: { labels: { a: "b" } } }, /metadata/],
      [{ ...resizeTo("2Gi"), status: {} }, /status/],
      [resizeTo("2Gi", { resources: { requests: { "nvidia.com/gpu": "1" } } }), /nvidia\.com\/gpu/],
      [resizeTo("2Gi", { resources: { $patch: "replace" } }), /\$patch/],
      [resizeTo("lots"), /must be a quantity above 0/],
      [resizeTo("9".repeat(100_000)), /must be a quantity above 0/],
    ];
    for (const [patch, why] of refusals) {
      const answer = await resize("drv-exec-1", patch);
      expect([answer.status, answer.message]).toEqual([403, expect.stringMatching(why) as string]);
    }
    expect((await resize("drv", resizeTo("2Gi"))).message).toMatch(/only its executors/);
    expect((await resize("other", resizeTo("2Gi"))).status).toBe(404);
    const path = `${driver.path("pods", "drv-exec-1")}/resize`;
    expect((await client.patch(path, "json", [])).status).toBe(415);
    expect((await other.at(gateway).patch(path, "strategic", resizeTo("2Gi"))).status).toBe(404);
    expect(await memoryOf("drv-exec-1")).toBe("1Gi");
  });

  test("is told what its own executors use, and not what others do", async () => {
    const { cluster, client, driver } = await scene();
    await withMetrics(cluster, driver, ["drv-exec-1", "drv", "other"]);
    const usage = (name: string) => `/apis/metrics.k8s.io/v1beta1/namespaces/${driver.namespace}/pods/${name}`;
    await eventually(async () => {
      const answer = await client.get(usage("drv-exec-1"));
      expect(answer, answer.text).toMatchObject({
        status: 200,
        body: { containers: [{ usage: { memory: "900Mi" } }] },
      });
    });
    expect((await client.get(usage("other"))).status).toBe(404);
  });
});

test("a claim that Spark's resize plug-in grows has more storage, and nothing else changes", async () => {
  const { cluster, gateway, client, driver } = await scene();
  await client.post(driver.path("persistentvolumeclaims"), driver.claim("drv-exec-1-pvc-0", driver.pod));
  const path = driver.path("persistentvolumeclaims", "drv-exec-1-pvc-0");
  const to = (storage: string, more: object = {}): object => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    spec: { resources: { requests: { storage } }, ...more },
  });
  const send = async (patch: object) => (await client.patch(path, "strategic", patch)).status;
  expect(await send(to("2147483648"))).toBe(200);
  const { spec } = (await cluster.send("GET", path)) as PersistentVolumeClaim;
  expect(spec?.resources?.requests).toEqual({ storage: "2147483648" });
  expect((await client.get(path)).body).toMatchObject({ spec: { resources: { requests: { storage: "2147483648" } } } });
  for (const wrong of [
    to("1Gi"),
    to("many"),
    to("4Gi", { storageClassName: "fast" }),
    { ...to("4Gi"), metadata: { finalizers: ["stay"] } },
    {},
  ]) {
    expect([wrong, await send(wrong)]).toEqual([wrong, 403]);
  }
  const other = await FakeDriver.run(cluster, "other");
  const others = await other.at(gateway).patch(path, "strategic", to("4Gi"));
  expect(others.status).toBe(404);
});

/** Serves the usage of pods like a metrics server, with a resource at the same path. */
async function withMetrics(cluster: TestCluster, driver: FakeDriver, pods: readonly string[]): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: "pods.metrics.k8s.io", annotations: { "api-approved.kubernetes.io": "unapproved, for a test" } },
    spec: {
      group: "metrics.k8s.io",
      scope: "Namespaced",
      names: { plural: "pods", singular: "pod", kind: "PodMetrics", listKind: "PodMetricsList" },
      versions: [{ name: "v1beta1", served: true, storage: true, schema }],
    },
  });
  for (const name of pods) {
    await eventually(() =>
      cluster.send("POST", `/apis/metrics.k8s.io/v1beta1/namespaces/${driver.namespace}/pods`, {
        apiVersion: "metrics.k8s.io/v1beta1",
        kind: "PodMetrics",
        metadata: { name },
        containers: [{ name: CONTAINER, usage: { cpu: "1", memory: "900Mi" } }],
      }),
    );
  }
}
