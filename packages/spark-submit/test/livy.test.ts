import { resources } from "@kindling/kube";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { livyReads } from "./callers/livy.ts";
import { NAMESPACE, startCluster } from "./fixtures/cluster.ts";
import { sparkSubmit } from "./fixtures/spark-submit.ts";

const versionBy = async (env: Readonly<Record<string, string>>): Promise<ReturnType<typeof livyReads>> => {
  const { code, stdout, stderr } = await sparkSubmit(["--version"], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  return livyReads(stdout + stderr);
};

describe("Livy", () => {
  test("starts: it finds versions of Spark and Scala that it can read", async () => {
    expect(await versionBy({})).toEqual({ spark: [4, expect.any(Number)], scala: "2.13" });
  });

  test.each([
    ["the Spark in SPARK_HOME", { jar: "spark-core_2.12-3.5.9.jar", env: {} }, { spark: [3, 5], scala: "2.12" }],
    [
      "what the environment says of Spark, above that",
      { jar: "spark-core_2.12-3.5.9.jar", env: { KINDLING_SPARK_VERSION: "4.1.1" } },
      { spark: [4, 1], scala: "2.12" },
    ],
    [
      "what the environment says of Scala, above that",
      { jar: "spark-core_2.12-3.5.9.jar", env: { SPARK_SCALA_VERSION: "2.13" } },
      { spark: [3, 5], scala: "2.13" },
    ],
    [
      "the image in spark-defaults.conf",
      { defaults: "spark.kubernetes.container.image apache/spark:3.5.8\n", env: {} },
      { spark: [3, 5], scala: "2.12" },
    ],
  ] as const)("the version is that of %s", async (_, home, expected) => {
    const folder = scratchFolder();
    folder.write("conf/spark-defaults.conf", "defaults" in home ? home.defaults : "");
    if ("jar" in home) folder.write(`jars/${home.jar}`, "");
    expect(await versionBy({ SPARK_HOME: folder.path, ...home.env })).toEqual(expected);
  });

  test("finds the driver of a batch by its tag, in whatever namespace", async () => {
    const cluster = await startCluster({});
    const tag = "livy-batch-0-aBcDeFgH";
    const ended = await sparkSubmit([
      ...cluster.flags({
        "spark.kubernetes.driver.label.spark-app-tag": tag,
        "spark.kubernetes.executor.label.spark-app-tag": tag,
        "spark.kubernetes.submission.waitAppCompletion": "false",
        "spark.ui.proxyBase": `/${tag}`,
      }),
      ...["--name", "batch", "--class", "org.example.Main", "--queue", "default"],
      "local:///opt/app.jar",
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    const { items } = await cluster.client.listAll(resources.pods, {
      allNamespaces: true,
      labelSelector: `spark-role=driver,spark-app-tag=${tag},spark-app-selector`,
    });
    expect(items.map(({ metadata }) => metadata?.namespace)).toEqual([NAMESPACE]);
  });

  test("submits what is in the image already, as interactive sessions do", async () => {
    const cluster = await startCluster({});
    const noWait = { "spark.kubernetes.submission.waitAppCompletion": "false" };
    const main = ["--class", "org.apache.livy.rsc.driver.RSCDriverBootstrapper", "spark-internal"];
    const ended = await sparkSubmit([...cluster.flags(noWait), ...main]);
    expect(ended.code, ended.stderr).toBe(0);
  });

  test("is told by the exit code that nothing was submitted", async () => {
    const cluster = await startCluster();
    const ended = await sparkSubmit([...cluster.flags({ "spark.kubernetes.namespace": "nowhere" }), "local:///a.py"]);
    expect(ended.code).toBe(1);
  });
});
