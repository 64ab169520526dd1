import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareApplications } from "../clusters/applications.ts";
import { OperatedApplications, smallSpec } from "../clusters/operated-applications.ts";
import { IS_STOCK, startOperator, type TestOperator } from "../clusters/operator.ts";
import { IS_INSTALLED, startGateway, type GatewayService } from "../clusters/services.ts";
import { SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const LIMIT_MS = 300_000;
const isPossible = IS_INSTALLED && !IS_STOCK;
const why = isPossible ? "" : " (only where Kindling's charts are installed)";

describe.skipIf(!isPossible)(`an operator beside an installed gateway${why}`, { timeout: LIMIT_MS }, () => {
  let namespace: TestNamespace;
  let gateway: GatewayService;
  let serving: TestOperator;
  let applications: OperatedApplications;

  beforeAll(async () => {
    namespace = await TestNamespace.create("operator-gateway");
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "nobody" } };
    await namespace.client.create(resources.serviceaccounts, account);
    (await prepareApplications(namespace, VERSION)).remove();
    [gateway, serving] = await Promise.all([startGateway(namespace), startOperator(namespace)]);
    applications = await OperatedApplications.watch(namespace);
  }, LIMIT_MS);
  afterAll(async () => {
    await applications.stop();
    await Promise.all([gateway.stop(), serving.stop()]);
    await namespace.remove();
  }, LIMIT_MS);

  test("executors get what no pod template can say, and their driver needs no rights", async () => {
    const executor = {
      memoryLimit: "1g",
      // Neither exists yet for a template: Spark sets the one later, and Spark's own value of the other wins.
      env: [
        { name: "FROM_TEMPLATE", value: "executor $(SPARK_EXECUTOR_ID)" },
        { name: "SPARK_USER", value: "grace" },
      ],
      deleteOnTermination: false,
    };
    const sparkConf = { "spark.kindling-test.from-file": "the conf" };
    const driver = { serviceAccount: "nobody" };
    await applications.create("exact", smallSpec(VERSION, "surroundings.py", { driver, executor, sparkConf }));
    const { status } = await applications.untilEnded("exact", LIMIT_MS);
    const events = await applications.events("exact");
    expect(status, JSON.stringify([events, gateway.log])).toMatchObject({
      applicationState: { state: "COMPLETED" },
    });
    expect(await applications.log("exact")).toContain("EXECUTOR None executor 1 None");
    const [pod] = await applications.pods("exact", "executor");
    const container = pod?.spec?.containers.find(({ name }) => name === "spark-kubernetes-executor");
    expect(container?.resources).toMatchObject({ requests: { memory: "896Mi" }, limits: { memory: "1Gi" } });
    expect(container?.env?.findLast(({ name }) => name === "SPARK_USER")).toMatchObject({ value: "grace" });
    expect(events.filter((event) => event.includes("has no effect"))).toEqual([]);
  });
});
