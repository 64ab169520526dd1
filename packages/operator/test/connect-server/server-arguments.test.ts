import { execFileSync } from "node:child_process";
import { aSparkConnect } from "@kindling/spark-application/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { masterUrl, serverCommand } from "../../src/connect-server/server-arguments.ts";

const MASTER = "k8s://https://10.0.0.1:443";

/** The words that the shell of a server's pod gives to Spark's script. */
function words(command: string, podIp = "10.1.2.3"): string[] {
  const script = `set -- ${command.replace("${SPARK_HOME}", "/opt/spark")}; printf '%s\\0' "$@"`;
  const env = { POD_IP: podIp, HOME: "/root", PATH: process.env["PATH"] ?? "" };
  return execFileSync("bash", ["--norc", "-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

/** The configuration that Spark gets: for one key the last entry wins. */
function confOf(command: string, podIp?: string): Record<string, string> {
  const all = words(command, podIp);
  const entries = all.flatMap((word, at) => (all[at - 1] === "--conf" ? [word] : []));
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
}

describe("a server's command line", () => {
  test("is that of stock, in stock's order", () => {
    const connect = aSparkConnect(
      {
        sparkConf: { "spark.b": "it's $HOME", "spark.a": "1", "spark.kubernetes.driver.pod.name": "other" },
        hadoopConf: { "fs.s3a.path.style.access": "true", "spark.hadoop.x": "y" },
        server: { cores: 2, memory: "2g" },
        executor: { instances: 3, cores: 1, memory: "512m", template: { spec: { containers: [{ name: "e" }] } } },
        dynamicAllocation: { enabled: true, minExecutors: 1 },
      },
      { metadata: { labels: { team: "etl" } } },
    );
    expect(words(serverCommand(connect, MASTER)).join("\n")).toBe(
      [
        ...["/opt/spark/sbin/start-connect-server.sh", "--master", MASTER],
        ...[
          "spark.kubernetes.namespace=spark-jobs",
          "spark.kubernetes.container.image=apache/spark:4.3.0",
          "spark.kubernetes.executor.container.image=apache/spark:4.3.0",
          "spark.a=1",
          "spark.b=it's $HOME",
          "spark.hadoop.fs.s3a.path.style.access=true",
          "spark.hadoop.x=y",
          "spark.kubernetes.driver.label.sparkoperator.k8s.io/launched-by-spark-operator=true",
          "spark.kubernetes.driver.label.sparkoperator.k8s.io/connect-name=notebook",
          "spark.kubernetes.driver.label.team=etl",
          "spark.driver.cores=2",
          "spark.driver.memory=2g",
          "spark.driver.bindAddress=0.0.0.0",
          "spark.driver.host=10.1.2.3",
          "spark.kubernetes.executor.useDriverPodIP=false",
          "spark.driver.port=7078",
          "spark.driver.blockManager.port=7079",
          "spark.kubernetes.driver.pod.name=notebook-server",
          "spark.kubernetes.executor.label.sparkoperator.k8s.io/launched-by-spark-operator=true",
          "spark.kubernetes.executor.label.sparkoperator.k8s.io/connect-name=notebook",
          "spark.kubernetes.executor.label.team=etl",
          "spark.executor.instances=3",
          "spark.executor.cores=1",
          "spark.executor.memory=512m",
          "spark.kubernetes.executor.podNamePrefix=notebook",
          "spark.kubernetes.executor.podTemplateFile=/tmp/spark/executor-pod-template.yaml",
          "spark.kubernetes.executor.podTemplateContainerName=spark-kubernetes-executor",
          "spark.dynamicAllocation.enabled=true",
          "spark.dynamicAllocation.minExecutors=1",
          "spark.dynamicAllocation.shuffleTracking.enabled=true",
        ].flatMap((entry) => ["--conf", entry]),
      ].join("\n"),
    );
  });

  test("an IPv6 address stands in brackets", () => {
    const command = serverCommand(aSparkConnect(), MASTER);
    expect(confOf(command, "fd00::1")["spark.driver.host"]).toBe("[fd00::1]");
    expect(confOf(command, "[fd00::1]")["spark.driver.host"]).toBe("[fd00::1]");
  });

  test("the image of the executors' template wins", () => {
    const containers = [
      { name: "sidecar", image: "busybox" },
      { name: "spark-kubernetes-executor", image: "own" },
    ];
    const conf = confOf(serverCommand(aSparkConnect({ executor: { template: { spec: { containers } } } }), MASTER));
    expect(conf["spark.kubernetes.container.image"]).toBe("own");
  });

  test("who asks for the pod's address gets it", () => {
    const sparkConf = { "spark.kubernetes.executor.useDriverPodIP": "true" };
    expect(confOf(serverCommand(aSparkConnect({ sparkConf }), MASTER))).toMatchObject(sparkConf);
  });

  test("no text of the object reaches the shell", () => {
    const text = fc
      .string({ minLength: 1, maxLength: 20 })
      .map((value) => `${value}$(echo no)\`id\`;'"\\`.replaceAll("\0", ""));
    fc.assert(
      fc.property(text, text, (value, memory) => {
        const connect = aSparkConnect({ image: value, sparkConf: { "spark.x": value }, server: { memory } });
        expect(confOf(serverCommand(connect, MASTER))).toMatchObject({
          "spark.x": value,
          "spark.driver.memory": memory,
          "spark.kubernetes.container.image": value,
        });
      }),
      { numRuns: 50 },
    );
  });
});

test.each<[Record<string, string>, string]>([
  [{ KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "6443" }, "k8s://https://10.0.0.1:6443"],
  [{ KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" }, "k8s://https://[fd00::1]:443"],
  [{}, "k8s://https://kubernetes.default.svc:443"],
])("with %o, pods reach the API server at %s", (env, wanted) => {
  expect(masterUrl(env)).toBe(wanted);
});
