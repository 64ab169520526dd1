import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { kyuubiError } from "./callers/kyuubi.ts";
import { confFlags, NAMESPACE, startCluster } from "./fixtures/cluster.ts";
import { BIN, sparkSubmit } from "./fixtures/spark-submit.ts";

/** A SPARK_HOME without Spark: this command under the name that Kyuubi runs, and the defaults. */
function sparkHome(defaults: string): string {
  const folder = scratchFolder({ "conf/spark-defaults.conf": defaults });
  symlinkSync(BIN, join(folder.mkdir("bin"), "spark-submit"));
  return folder.path;
}

describe("Kyuubi", () => {
  test("starts an engine: master, mode, pod names and labels come as configuration, the rest from spark-defaults.conf", async () => {
    const cluster = await startCluster({});
    const [, master = ""] = cluster.flags();
    const SPARK_HOME = sparkHome("spark.kubernetes.container.image  apache/spark:3.5.9\n");
    const ended = await sparkSubmit(
      [
        ...["--class", "org.apache.kyuubi.engine.spark.SparkSQLEngine"],
        ...confFlags({
          "spark.master": master,
          "spark.submit.deployMode": "cluster",
          "spark.kubernetes.namespace": NAMESPACE,
          "spark.kubernetes.driver.pod.name": "kyuubi-user-spark-sql-1-driver",
          "spark.kubernetes.executor.podNamePrefix": "kyuubi-user-spark-sql-1",
          "spark.kubernetes.driver.label.kyuubi-unique-tag": "tag-1",
          "spark.kubernetes.submission.waitAppCompletion": "false",
        }),
        ...["--proxy-user", "anne", "local:///opt/kyuubi/engine.jar"],
      ],
      { program: join(SPARK_HOME, "bin", "spark-submit"), env: { SPARK_HOME, SPARK_SCALA_VERSION: "2.12" } },
    );
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: "" });
    expect(kyuubiError(ended.stderr.split("\n"))).toBeUndefined();
    const pod = await cluster.client.get(resources.pods, "kyuubi-user-spark-sql-1-driver", { namespace: NAMESPACE });
    expect(pod.metadata?.labels).toMatchObject({
      "kyuubi-unique-tag": "tag-1",
      "spark-role": "driver",
      "spark-app-name": "org-apache-kyuubi-engine-spark-sparksqlengine",
    });
    const { items } = await cluster.client.listAll(resources.services, { namespace: NAMESPACE });
    const service = items.find(({ metadata }) => metadata?.labels?.["spark-app-selector"] !== undefined);
    expect(service?.metadata?.labels?.["spark-app-selector"]).toBe(pod.metadata?.labels?.["spark-app-selector"]);
    // Kyuubi uses this to find the application of a UI.
    expect(service?.spec?.selector).toMatchObject({
      "kyuubi-unique-tag": "tag-1",
      "spark-app-selector": pod.metadata?.labels?.["spark-app-selector"],
    });
    expect(service?.spec?.ports?.map(({ name }) => name)).toContain("spark-ui");
  });

  test.each([
    ["an argument", ["--no-such-flag"], "unrecognized option '--no-such-flag'"],
    ["the configuration", confFlags({ "spark.executor.cores": "many" }), "spark.executor.cores"],
    // A text with `at `, which Kyuubi would take for a line of a stack trace.
    ["a file that is not there", ["--properties-file", "/no/such/file"], "that"],
  ])("has the cause of a refusal: %s", async (_, flags, cause) => {
    const cluster = await startCluster();
    const ended = await sparkSubmit([...cluster.flags(), ...flags, "local:///a.py"]);
    expect(ended.code).toBe(1);
    const [first, second] = kyuubiError(ended.stderr.split("\n"))?.split("\n") ?? [];
    expect(first).toMatch(/^Exception in thread "main" org\.apache\.spark\.SparkException: /);
    expect(second).toMatch(/^Caused by: /);
    expect(second).toContain(cause === "that" ? "/no/such/file" : cause);
  });
});
