import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sparkVersionOf } from "@kindling/core-spec";
import { resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fixtures, prepareApplications } from "../clusters/applications.ts";
import { type Forwarded, forwarded } from "../clusters/forwarded.ts";
import { kindling, submissionIdIn } from "../clusters/kindling.ts";
import { eventually, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
/** A Python with `pyspark-client`, which is not newer than the server. */
const PYTHON = process.env["KINDLING_E2E_CONNECT_PYTHON"];
const PORT = 15_002;
const TOKEN = "open-sesame";
const SUM = `import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
print("SUM", spark.range(1000).selectExpr("sum(id)").first()[0])
`;
const why = PYTHON === undefined ? " (KINDLING_E2E_CONNECT_PYTHON names no Python with pyspark-client)" : "";

// Before, the driver's Service has no port for it.
const isPossible = PYTHON !== undefined && sparkVersionOf(VERSION).has("connect-port");

describe.skipIf(!isPossible)(`Spark's own Connect server as a driver, on Spark ${VERSION}${why}`, () => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;
  let driver: string;
  let port: Forwarded;

  beforeAll(async () => {
    namespace = await TestNamespace.create("connect-server");
    fixtures = await prepareApplications(namespace, VERSION);
    await namespace.apply(`{apiVersion: v1, kind: Secret, metadata: {name: connect}, stringData: {token: ${TOKEN}}}`);
    const submitted = await kindling([
      ...["submit", ...fixtures.flags, "--name", "connect", "--num-executors", "1"],
      ...["--class", "org.apache.spark.sql.connect.service.SparkConnectServer"],
      ...["--conf", "spark.kindling.submit.server=true"],
      ...["--conf", "spark.kubernetes.driver.secretKeyRef.SPARK_CONNECT_AUTHENTICATE_TOKEN=connect:token"],
      ...["--conf", "spark.kubernetes.submission.waitAppCompletion=false"],
    ]);
    driver = submissionIdIn(submitted.err).split(":")[1] ?? "";
    if (driver === "") throw new Error(submitted.err);
    await eventually("the server's own words in its log", async () => {
      const { out } = await kindling(["logs", `${namespace.name}:${driver}`]);
      return out.includes("Spark Connect server started");
    });
    port = await forwarded(namespace, driver, PORT);
  });
  afterAll(async () => {
    port.stop();
    await namespace.remove();
    fixtures.remove();
  });

  /** What a Python client says that knows this token. */
  function say(token?: string): Promise<string> {
    // In a file: pyspark-client 4.2 looks for a whole Spark if there is none.
    const program = join(fixtures.folder, "sum.py");
    writeFileSync(program, SUM);
    const url = `sc://localhost:${port.port}`;
    const env = { ...process.env, SPARK_CONNECT_AUTHENTICATE_TOKEN: token };
    return new Promise((resolve) => {
      execFile(PYTHON ?? "", [program, url], { env, timeout: 60_000 }, (_, out, err) => resolve(out + err));
    });
  }

  test("computes for a client that knows the token", async () => {
    expect(await say(TOKEN)).toMatch(/^SUM 499500$/m);
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=executor" });
    expect(items.map(({ metadata }) => metadata?.ownerReferences?.[0]?.name)).toEqual([driver]);
  });

  test.each([
    ["no", undefined],
    ["another", "guessed"],
  ])("refuses a client with %s token", async (_, token) => {
    expect(await say(token)).toContain("UNAUTHENTICATED");
  });

  test("does not show the token in what it leaves in the cluster", async () => {
    const [{ items: pods }, { items: maps }] = await Promise.all([
      namespace.client.listAll(resources.pods),
      namespace.client.listAll(resources.configmaps),
    ]);
    expect(JSON.stringify([pods, maps])).not.toContain(TOKEN);
  });

  test("ends with its executors when it is killed", async () => {
    const killed = await kindling(["kill", "--grace-period", "1", `${namespace.name}:${driver}`]);
    expect(killed, killed.err).toMatchObject({ exit: 0 });
    await eventually("the end of all pods", async () => {
      const { items } = await namespace.client.listAll(resources.pods);
      return items.length === 0;
    });
  });
});
