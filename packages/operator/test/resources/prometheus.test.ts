import { describe, expect, test } from "vitest";
import type { MonitoringSpec, PrometheusSpec } from "@kindling/spark-application";
import { applicationObjects } from "../../src/resources/application-objects.ts";
import { anApplication, anOperator } from "./an-application.ts";

const JAR = "/prometheus/agent.jar";

function monitored(monitoring: Partial<MonitoringSpec>, spec: Parameters<typeof anApplication>[0] = {}) {
  const all = { exposeDriverMetrics: false, exposeExecutorMetrics: false, ...monitoring };
  const { application, objects } = applicationObjects(anApplication({ ...spec, monitoring: all }), anOperator());
  return { spec: application.spec, objects, data: dataOf(objects[0]?.object) };
}

function dataOf(object: object | undefined): Record<string, string> {
  return object !== undefined && "data" in object ? { ...(object.data as Record<string, string>) } : {};
}

test("metrics.properties alone changes nothing, as in stock", () => {
  const { spec, objects } = monitored({ exposeDriverMetrics: true, metricsProperties: "a=b" });
  expect([spec.sparkConf, spec.driver.annotations, objects]).toEqual([undefined, undefined, []]);
});

test("driver and executors get the agent, its files and the annotations that Prometheus looks for", () => {
  const { spec, objects } = monitored(
    { exposeDriverMetrics: true, exposeExecutorMetrics: true, prometheus: { jmxExporterJar: JAR } },
    { driver: { cores: 1, javaOptions: "-Da=b" }, sparkConf: { "spark.metrics.conf": "mine" } },
  );
  const agent = `-javaagent:${JAR}=8090:/etc/metrics/conf/prometheus.yaml`;
  const annotations = {
    "prometheus.io/scrape": "true",
    "prometheus.io/port": "8090",
    "prometheus.io/path": "/metrics",
  };
  expect(spec).toMatchObject({
    sparkConf: {
      "spark.metrics.namespace": "team.pi",
      "spark.metrics.conf": "/etc/metrics/conf/metrics.properties",
    },
    driver: { annotations, javaOptions: `-Da=b ${agent}` },
    executor: { annotations, javaOptions: agent },
  });
  expect(objects).toMatchObject([
    {
      when: "before-driver",
      atEnd: "kept",
      object: {
        kind: "ConfigMap",
        metadata: {
          name: "pi-prom-conf",
          labels: { "sparkoperator.k8s.io/created-by-spark-operator": "true" },
          ownerReferences: [{ name: "pi", controller: true }],
        },
      },
    },
  ]);
});

test.each<[string, Partial<MonitoringSpec>, Partial<PrometheusSpec>, readonly string[]]>([
  ["both texts", {}, {}, ["metrics.properties", "prometheus.yaml"]],
  ["a file of the image for Spark", { metricsPropertiesFile: "/m" }, {}, ["prometheus.yaml"]],
  ["a file of the image for the agent", {}, { configFile: "/c" }, ["metrics.properties"]],
  ["two files of the image", { metricsPropertiesFile: "/m" }, { configFile: "/c" }, []],
])("with %s the ConfigMap holds what is missing", (_, monitoring, prometheus, keys) => {
  const { data, spec } = monitored({
    exposeDriverMetrics: true,
    ...monitoring,
    prometheus: { jmxExporterJar: JAR, port: 9000, ...prometheus },
  });
  expect(Object.keys(data)).toEqual(keys);
  const [metrics, agent] = [keys.includes("metrics.properties"), keys.includes("prometheus.yaml")];
  expect(spec.sparkConf?.["spark.metrics.conf"]).toBe(metrics ? "/etc/metrics/conf/metrics.properties" : "/m");
  expect(spec.driver.javaOptions).toBe(`-javaagent:${JAR}=9000:${agent ? "/etc/metrics/conf/prometheus.yaml" : "/c"}`);
});

test("the user's texts are taken as they are", () => {
  const { data } = monitored({
    metricsProperties: "a=b",
    prometheus: { jmxExporterJar: JAR, configuration: "rules: []" },
  });
  expect(data).toEqual({ "metrics.properties": "a=b", "prometheus.yaml": "rules: []" });
});

describe("the names of metrics", () => {
  /** The JMX exporter's name for a metric: the first matching rule decides. */
  function named(metric: string): string | undefined {
    const { "prometheus.yaml": text = "" } = monitored({ prometheus: { jmxExporterJar: JAR } }).data;
    const rules = text.split("  - pattern: ").slice(1);
    for (const rule of rules) {
      const [pattern = '""', ...rest] = rule.split("\n").map((line) => line.trim());
      const found = new RegExp(JSON.parse(pattern) as string).exec(metric);
      if (found !== null)
        return rest
          .join(" ")
          .trim()
          .replace(/\$(\d)/g, (_, group) => found[Number(group)] ?? "");
    }
    return undefined;
  }

  test.each([
    [
      "metrics<name=team.pi.driver.jvm.heap.used><>Value",
      'name: spark_driver_jvm_heap.used type: GAUGE labels: app_namespace: "team" app_id: "pi"',
    ],
    [
      "metrics<name=team.pi.driver.spark.streaming.q1.latency><>Value",
      'name: spark_structured_streaming_driver_latency type: GAUGE labels: app_namespace: "team" app_id: "pi" query_name: "q1"',
    ],
    [
      "metrics<name=team.pi.3.executor.bytesRead><>Count",
      'name: spark_executor_bytesRead_count type: COUNTER labels: app_namespace: "team" app_id: "pi" executor_id: "3"',
    ],
    [
      "metrics<name=team.pi.driver.CodeGenerator.compilationTime><>Count",
      'name: spark_driver_CodeGenerator_compilationTime_count type: COUNTER labels: app_namespace: "team" app_id: "pi"',
    ],
    [
      "metrics<name=team.pi.12.HiveExternalCatalog.fileCacheHits><>Count",
      'name: spark_executor_HiveExternalCatalog_fileCacheHits_count type: COUNTER labels: app_namespace: "team" app_id: "pi" executor_id: "12"',
    ],
    ["other<name=x><>Value", undefined],
  ])("%s", (metric, want) => {
    expect(named(metric)).toBe(want);
  });
});
