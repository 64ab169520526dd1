import { parseHandover } from "@kindling/steps";
import { eventually } from "@kindling/test-kit/eventually";
import type { ConfigMap } from "kubernetes-types/core/v1.js";
import { expect, test } from "vitest";
import { OperatedCluster } from "../support/operated-cluster.ts";

const SCHEDULER = "spark.kindling.scheduler=gateway\nspark.kindling.scheduler.uri=https://gateway.kindling.svc:8443\n";
const INSTALLATION = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
  data: { "kindling.properties": SCHEDULER },
};
/** A template cannot set these fields: Spark's own values come after it. */
const EXECUTOR = {
  memory: "1g",
  memoryLimit: "3g",
  env: [
    { name: "SPARK_LOCAL_DIRS", value: "/scratch" },
    { name: "HOME_OF", value: "$(SPARK_USER)" },
  ],
  sidecars: [{ name: "logs", image: "logs" }],
};

async function operatedWithGateway(): Promise<OperatedCluster> {
  const operated = await OperatedCluster.start();
  await operated.cluster.send("POST", "/api/v1/namespaces/spark-jobs/configmaps", INSTALLATION);
  operated.cluster.hold();
  await operated.operate();
  return operated;
}

/** The steps of an application's executors that were handed to the gateway. */
async function handedSteps(operated: OperatedCluster): Promise<unknown> {
  const maps = await operated.cluster.objects<ConfigMap>("ConfigMap");
  const texts = maps.map(({ data }) => data?.["executor-steps.json"]).filter((text) => text !== undefined);
  return texts.map((text) => parseHandover(text)?.steps);
}

test("where the installation has a gateway, this gives executors their fields as the webhook did", async () => {
  const operated = await operatedWithGateway();
  await operated.create("pi", { executor: EXECUTOR, batchSchedulerOptions: { queue: "etl" } });
  await operated.inState("pi", "SUBMITTED");
  expect(await handedSteps(operated)).toEqual([
    [
      {
        name: "webhook-fields",
        changes: expect.objectContaining({
          limits: { memory: "3Gi" },
          env: EXECUTOR.env,
          sidecars: EXECUTOR.sidecars,
        }),
      },
    ],
  ]);
  const maps = await operated.cluster.objects<ConfigMap>("ConfigMap");
  expect(maps.filter(({ data }) => data?.["podspec-configmap-key"] !== undefined)).toEqual([]);
  const [driver] = await operated.pods();
  expect(driver?.metadata?.labels?.["scheduler.kindling/queue"]).toBe("etl");
  // Nothing is lost.
  await eventually(async () => {
    expect(await operated.notices("pi")).toEqual(["installation: kindling in namespace spark-jobs"]);
  });
});

test("an application that wants its steps in a template gets them there, and is told what is lost", async () => {
  const operated = await operatedWithGateway();
  const sparkConf = { "spark.kindling.scheduler.executorSteps": "template" };
  await operated.create("pi", { executor: EXECUTOR, sparkConf });
  await operated.inState("pi", "SUBMITTED");
  expect(await handedSteps(operated)).not.toContainEqual(
    expect.arrayContaining([expect.objectContaining({ name: "webhook-fields" })]),
  );
  const maps = await operated.cluster.objects<ConfigMap>("ConfigMap");
  const templates = maps.flatMap(({ data }) => data?.["podspec-configmap-key"] ?? []);
  expect(templates).toEqual([expect.stringContaining("logs")]);
  await eventually(async () => {
    expect(await operated.notices("pi")).toContainEqual(expect.stringContaining("memoryLimit has no effect"));
  });
});

test("what no executor can be is told before there is a driver", async () => {
  const operated = await operatedWithGateway();
  operated.cluster.api.fault = ({ method, path, query }) =>
    method === "POST" && path.endsWith("/pods") && query.has("dryRun")
      ? { kind: "status", status: 422, reason: "Invalid", message: "spec.containers[0].image: Required value" }
      : undefined;
  await operated.create("pi", { executor: EXECUTOR });
  const { status } = await operated.inState("pi", "FAILED");
  expect(status?.applicationState?.errorMessage).toContain("no executor can be made");
  expect(await operated.pods()).toEqual([]);
});
