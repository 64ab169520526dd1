import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientFile, ConnectClients, lacking } from "../clusters/connect-clients.ts";
import { NO_OPERATOR, startOperator } from "../clusters/operator.ts";
import { eventually, SPARK_VERSIONS, sparkImage, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const why =
  NO_OPERATOR === undefined ? lacking("pyspark-client", "kubeflow", "kubeflow-spark-api") : ` (${NO_OPERATOR})`;

// The SDK waits for minutes on a busy machine.
const LIMIT_MS = 600_000;

describe.skipIf(why !== "")(`the SparkClient of kubeflow's SDK${why}`, { timeout: LIMIT_MS }, () => {
  let namespace: TestNamespace;
  let clients: ConnectClients;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    clients = new ConnectClients();
    namespace = await TestNamespace.create("kubeflow-sdk");
    ends.push(() => namespace.remove());
    const operator = await startOperator(namespace);
    ends.unshift(() => operator.stop());
  });
  afterAll(async () => {
    clients.remove();
    for (const end of ends) await end();
  });

  test("makes a Spark Connect server of its own, and deletes it", async () => {
    const script = clientFile("kubeflow-create.py");
    // The SDK waits for a fixed time when the server is ready.
    const env = { SPARK_CONNECT_READY_DELAY_SEC: "0" };
    const ended = await clients.run("python", [script, namespace.name, sparkImage(VERSION), VERSION], env);
    expect(ended.out.split("\n"), ended.err).toEqual(["TOTAL 499500", "READY notebook", "LEFT 0", ""]);
    await eventually("the end of its pods", async () => {
      const { items } = await namespace.client.listAll(resources.pods);
      return items.length === 0;
    });
  });
});
