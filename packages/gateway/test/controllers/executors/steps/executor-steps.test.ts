import type { Step } from "@kindling/core-spec";
import { combinedChanges } from "@kindling/steps";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod, Service } from "kubernetes-types/core/v1.js";
import { describe, expect, test } from "vitest";
import { FakeDriver } from "../../../support/fake-driver.ts";
import { ADDRESSED, runHandedOver } from "../../../support/handed-over.ts";
import { startTestGateway } from "../../../support/test-gateway.ts";

const OWN_PROXY = { name: "proxy", image: "proxy" };

/** The executors of the cluster, once none of them waits for its objects. */
async function started(cluster: TestCluster, driver: FakeDriver, count: number): Promise<Pod[]> {
  return eventually(async () => {
    const pods = (await cluster.objects<Pod>("Pod")).filter(
      ({ metadata }) => metadata?.name !== driver.pod.metadata?.name,
    );
    expect(pods).toHaveLength(count);
    for (const { spec, status } of pods) {
      expect(spec?.schedulingGates ?? []).toEqual([]);
      expect(status?.phase).toBe("Running");
    }
    return pods;
  });
}

describe("a contributed step that needs the executor's id", () => {
  test("gives each executor its own, and a Service that goes with it", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const own = { "spark.kindling.addressed.zone": "b" };
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }], own });
    const client = driver.at(gateway);

    const shown = await client.post(driver.path("pods"), driver.executor(1));
    await client.post(driver.path("pods"), driver.executor(2));

    const container = { name: "spark-kubernetes-executor", env: [{ name: "ADDRESS", value: "spark-drv-1" }] };
    expect(shown).toMatchObject({
      status: 201,
      body: { metadata: { annotations: { "example.com/zone": "b" } }, spec: { containers: [container] } },
    });
    const pods = await started(cluster, driver, 2);
    expect(
      new Set(pods.map(({ spec }) => spec?.containers[0]?.env?.find(({ name }) => name === "ADDRESS")?.value)),
    ).toEqual(new Set(["spark-drv-1", "spark-drv-2"]));
    const services = await cluster.objects<Service>("Service");
    const found = services.filter(({ metadata }) => metadata?.name?.startsWith("spark-drv-") === true);
    expect(new Set(found.map(({ spec }) => spec?.selector?.["spark-exec-id"]))).toEqual(new Set(["1", "2"]));
    expect(found).toHaveLength(2);
    for (const { metadata } of found) {
      const owner = pods.find(({ metadata: pod }) => pod?.uid === metadata?.ownerReferences?.[0]?.uid);
      expect(`${driver.app}-${owner?.metadata?.labels?.["spark-exec-id"]}`).toBe(metadata?.name);
    }
  });

  test("is told what the driver started with, and leaves other containers where they were", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const conf = { "spark.addressed.zone": "${env:SPARK_USER}s" };
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }], conf });
    const asked = driver.executor(1);
    const spark = { name: "spark-kubernetes-executor", image: "spark" };
    const spec = { ...asked.spec, containers: [OWN_PROXY, spark] };
    await driver.at(gateway).post(driver.path("pods"), { ...asked, spec });
    const [pod] = await started(cluster, driver, 1);
    expect(pod?.spec?.containers.map(({ name, env }) => [name, env?.map(({ value }) => value)])).toEqual([
      ["proxy", undefined],
      ["spark-kubernetes-executor", ["spark-drv-1"]],
    ]);
    expect(pod?.metadata?.annotations?.["example.com/zone"]).toBe("${env:SPARK_USER}s");
  });

  test("asks the cluster once for all executors of an application", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }] });
    const client = driver.at(gateway);
    const before = cluster.api.requests.length;
    for (let id = 1; id <= 5; id++) await client.post(driver.path("pods"), driver.executor(id));
    await started(cluster, driver, 5);
    const reads = cluster.api.requests.slice(before).filter(({ path }) => path.includes("/configmaps/"));
    expect(reads).toHaveLength(2);
    expect(new Set(reads.map(({ path }) => path.split("/").at(-1)))).toEqual(new Set(["drv-conf", "drv-steps"]));
  });
});

describe("files of the submitter", () => {
  const dependencies = { kind: "file", name: "files/text.txt", workName: "text.txt" } as const;

  test("reach executors by an init container that the gateway adds, and by no template", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const by = "staged-dependencies" as const;
    const handed = { by, dependencies: [dependencies], secretName: "drv-deps", secretEntries: ["bundle-secret"] };
    const driver = await runHandedOver(cluster, "drv", {
      steps: [{ name: by, dependencies: handed }],
      own: { "spark.kindling.localizer.image": "localizer:1" },
    });
    const { body } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    const { spec } = body as Pod;
    expect(spec?.initContainers).toMatchObject([{ name: "spark-localizer", image: "localizer:1" }]);
    expect(spec?.volumes).toMatchObject([
      { name: "spark-dependencies" },
      { secret: { secretName: "drv-deps", items: [{ key: "executor.json" }, { key: "bundle-secret" }] } },
    ]);
    expect(spec?.containers[0]?.volumeMounts).toMatchObject([
      { mountPath: "/var/spark-data" },
      { mountPath: "/opt/spark/work-dir/text.txt", subPath: "files/text.txt" },
    ]);
    expect(spec?.schedulingGates).toBeUndefined();
  });

  test("that a template has brought are not brought again", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await FakeDriver.run(cluster, "drv");
    const localizer = { name: "spark-localizer", image: "localizer:1" };
    const asked = driver.executor(1, { spec: { initContainers: [localizer] } });
    await driver.at(gateway).post(driver.path("pods"), asked);
    const made = await driver.made("drv-exec-1");
    expect(made.spec?.initContainers).toHaveLength(1);
    const names = made.spec?.volumes?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name.startsWith("spark-"))).toEqual([]);
  });
});

describe("changes that an application brings as data", () => {
  const changes = combinedChanges([
    {
      limits: { memory: "3Gi" },
      env: [{ name: "SPARK_USER", value: "grace" }],
      nodeSelector: { disk: "ssd" },
      volumes: [{ name: "keys", secret: { secretName: "keys" } }],
    },
  ]);
  const steps = [{ name: "fields", changes }];
  const asked = {
    spec: {
      nodeSelector: { disk: "hdd" },
      containers: [
        {
          name: "spark-kubernetes-executor",
          image: "spark",
          env: [{ name: "SPARK_USER", value: "ada" }],
          resources: { requests: { memory: "1Gi" }, limits: { memory: "1Gi" } },
        },
      ],
    },
  };

  test("come behind what its driver says, without a step that is installed", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const allowed = { nodeSelector: { disk: "ssd" }, volumes: changes.volumes };
    const annotations = { "scheduler.kindling/executor-allowance": JSON.stringify(allowed) };
    const driver = await runHandedOver(cluster, "drv", { steps, annotations });
    await driver.at(gateway).post(driver.path("pods"), driver.executor(1, asked));
    const { spec } = await driver.made("drv-exec-1");
    expect(spec?.nodeSelector).toEqual({ disk: "ssd" });
    expect(spec?.volumes).toContainEqual(expect.objectContaining({ name: "keys" }));
    expect(spec?.containers).toMatchObject([
      {
        env: [{ value: "ada" }, { value: "grace" }],
        resources: { requests: { memory: "1Gi" }, limits: { memory: "3Gi" } },
      },
    ]);
  });

  test("bring nothing that the driver's pod does not allow", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runHandedOver(cluster, "drv", { steps });
    const { status, text } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1, asked));
    expect(status).toBe(403);
    expect(text).toContain("spec.nodeSelector.disk");
    expect(text).toContain("spec.volumes[0].secret.secretName (the Secret keys)");
    expect(await driver.executorsInCluster()).toEqual([]);
  });

  test("may not give executors another owner", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const owner = { apiVersion: "v1", kind: "Pod", name: "other", uid: "other" };
    const stolen = [{ name: "fields", changes: combinedChanges([{ ownerReferences: [owner] }]) }];
    const driver = await runHandedOver(cluster, "drv", { steps: stolen });
    const { status, text } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    expect({ status, text }).toMatchObject({ status: 403, text: expect.stringContaining("its owner can only be") });
  });
});

describe("an executor is refused for good, with the name of the step,", () => {
  const step = (configureExecutor: NonNullable<Step["configureExecutor"]>): Step => ({
    name: "bad",
    configureExecutor,
  });

  test.each<[string, Step, string]>([
    [
      "where the step fails",
      step(() => {
        throw new Error("no zone is free");
      }),
      "executor drv-exec-1 cannot be made: step bad failed: no zone is free",
    ],
    [
      "where it changes what the driver asked for",
      step((spec) => ({ ...spec, executorContainer: { ...spec.executorContainer, image: "mine" } })),
      "executor drv-exec-1 cannot be made: step bad changes executorContainer.image, which the driver set",
    ],
    [
      "where it puts an object into another namespace",
      step((spec) => ({
        ...spec,
        executorKubernetesResources: [
          { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "kube-system" } },
        ],
      })),
      "executor drv-exec-1 cannot be made: step bad puts the ConfigMap a into the namespace kube-system",
    ],
  ])("%s", async (_, bad, message) => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [bad] });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "bad" }] });
    const { status, body } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    expect({ status, body }).toMatchObject({ status: 422, body: { kind: "Status", reason: "Invalid" } });
    expect((body as { readonly message?: string }).message).toContain(message);
    expect(await driver.executorsInCluster()).toEqual([]);
  });

  test("where the gateway does not have it", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "unheard-of" }] });
    const { status, text } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    expect({ status, text }).toMatchObject({ status: 422, text: expect.stringContaining("no step called") });
    expect(text).toContain("unheard-of");
    expect(text).toContain("executors.steps");
  });

  test("where nobody can read what the application says, which is not quoted", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster);
    const driver = await runHandedOver(cluster, "drv", { steps: [], text: '{"version": 1, "token": "hush"' });
    const { status, text } = await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    expect({ status, text }).toMatchObject({ status: 422, text: expect.stringContaining("drv-steps cannot be read") });
    expect(text).not.toContain("hush");
  });
});

describe("own objects of an executor", () => {
  test("that the cluster refuses for good take their executor with them", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }] });
    cluster.api.fault = ({ method, path }) =>
      method === "POST" && path.endsWith("/services")
        ? { kind: "status", status: 422, reason: "Invalid", message: "spec.ports: Required value" }
        : undefined;
    const client = driver.at(gateway);
    const stream = await driver.watch(client, "web-socket");
    await client.post(driver.path("pods"), driver.executor(1));
    for (let event = await stream.nextChange(); event?.type !== "DELETED"; event = await stream.nextChange());
    expect(await driver.executorsInCluster()).toEqual([]);
    await eventually(async () => expect(gateway.lines.join("")).toContain("its Service spark-drv-1 cannot be made"));
  });

  test("are made once, whatever happens to the answers", async () => {
    const cluster = await TestCluster.start();
    const gateway = await startTestGateway(cluster, { steps: [ADDRESSED] });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }] });
    let left = 2;
    cluster.api.fault = ({ method, path }) =>
      method === "POST" && path.endsWith("/services") && (left -= 1) >= 0
        ? { kind: "reset", carriedOut: true }
        : undefined;
    await driver.at(gateway).post(driver.path("pods"), driver.executor(1));
    await started(cluster, driver, 1);
    const services = await cluster.objects<Service>("Service");
    expect(services.filter(({ metadata }) => metadata?.name === "spark-drv-1")).toHaveLength(1);
  });

  test("that an ended gateway has not made: the next one deletes their executor, and the driver may ask again", async () => {
    const cluster = await TestCluster.start();
    const settings = ["--executors-orphan-grace", "1s"];
    const first = await startTestGateway(cluster, { steps: [ADDRESSED], settings });
    const driver = await runHandedOver(cluster, "drv", { steps: [{ name: "addressed" }] });
    cluster.api.fault = ({ method, path }) =>
      method === "POST" && path.endsWith("/services")
        ? { kind: "status", status: 500, reason: "InternalError" }
        : undefined;
    await driver.at(first).post(driver.path("pods"), driver.executor(1));
    const held = await driver.made("drv-exec-1");
    expect(held.spec?.schedulingGates).toEqual([{ name: "gateway.kindling/objects" }]);
    await first.stop();
    cluster.api.fault = () => undefined;

    const second = await startTestGateway(cluster, { steps: [ADDRESSED], settings });
    await eventually(async () => expect(await driver.executorsInCluster()).toEqual([]));
    expect((await driver.at(second).post(driver.path("pods"), driver.executor(2))).status).toBe(201);
    await started(cluster, driver, 1);
  });
});
