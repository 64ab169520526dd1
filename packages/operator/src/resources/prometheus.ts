import type { ConfigMap } from "@kindling/core-spec";
import type {
  DriverSpec,
  ExecutorSpec,
  MonitoringSpec,
  PrometheusSpec,
  SparkApplication,
} from "@kindling/spark-application";
import { withDriver, withExecutor, withSparkConf } from "./changed-application.ts";
import { DEFAULT_JMX_EXPORTER_CONFIGURATION, DEFAULT_METRICS_PROPERTIES } from "./default-metrics.ts";
import { prometheusConfigMapName } from "./object-names.ts";
import { CREATED, ownerReference, type OwnedObject } from "./owned-object.ts";

const MOUNT_PATH = "/etc/metrics/conf";
const METRICS_PROPERTIES = "metrics.properties";
const JMX_EXPORTER_CONFIGURATION = "prometheus.yaml";
const DEFAULT_PORT = 8090;

/**
 * Lets Prometheus read Spark's metrics (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/monitoring_config.go): Spark reports them to JMX, and an agent in the JVM serves
 * them from there. Without `monitoring.prometheus` nothing happens.
 */
export function withPrometheus(application: SparkApplication): {
  readonly application: SparkApplication;
  readonly objects: readonly OwnedObject[];
} {
  const { monitoring } = application.spec;
  if (monitoring?.prometheus === undefined) return { application, objects: [] };
  const { namespace, name } = application.metadata;
  const conf = {
    "spark.metrics.namespace": `${namespace}.${name}`,
    "spark.metrics.conf": given(monitoring.metricsPropertiesFile) ?? `${MOUNT_PATH}/${METRICS_PROPERTIES}`,
  };
  const data = files(monitoring, monitoring.prometheus);
  return {
    application: withAgents(withSparkConf(application, conf), monitoring, monitoring.prometheus),
    objects: Object.keys(data).length === 0 ? [] : [owned(configMap(application, data))],
  };
}

function owned(object: ConfigMap): OwnedObject {
  return {
    when: "before-driver",
    atEnd: "kept",
    failure: "failed to configure Prometheus monitoring",
    object,
  };
}

/** An empty path counts as no path. */
function given(path: string | undefined): string | undefined {
  return path === "" ? undefined : path;
}

function files(monitoring: MonitoringSpec, prometheus: PrometheusSpec): Record<string, string> {
  const { metricsProperties = DEFAULT_METRICS_PROPERTIES, metricsPropertiesFile } = monitoring;
  const { configuration = DEFAULT_JMX_EXPORTER_CONFIGURATION, configFile } = prometheus;
  return {
    ...(given(metricsPropertiesFile) === undefined && { [METRICS_PROPERTIES]: metricsProperties }),
    ...(given(configFile) === undefined && { [JMX_EXPORTER_CONFIGURATION]: configuration }),
  };
}

function configMap(application: SparkApplication, data: Record<string, string>): ConfigMap {
  const { name, namespace } = application.metadata;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: prometheusConfigMapName(name),
      namespace,
      labels: { ...CREATED },
      ownerReferences: [ownerReference(application)],
    },
    data,
  };
}

function withAgents(
  application: SparkApplication,
  { exposeDriverMetrics, exposeExecutorMetrics }: MonitoringSpec,
  { jmxExporterJar, port = DEFAULT_PORT, configFile }: PrometheusSpec,
): SparkApplication {
  const configuration = given(configFile) ?? `${MOUNT_PATH}/${JMX_EXPORTER_CONFIGURATION}`;
  const agent = `-javaagent:${jmxExporterJar}=${port}:${configuration}`;
  const { driver, executor } = application.spec;
  const ofDriver = exposeDriverMetrics ? withDriver(application, exposed(driver, agent, port)) : application;
  return exposeExecutorMetrics ? withExecutor(ofDriver, exposed(executor, agent, port)) : ofDriver;
}

function exposed(
  { annotations, javaOptions }: DriverSpec | ExecutorSpec,
  agent: string,
  port: number,
): Pick<DriverSpec, "annotations" | "javaOptions"> {
  return {
    annotations: {
      ...annotations,
      "prometheus.io/scrape": "true",
      "prometheus.io/port": String(port),
      "prometheus.io/path": "/metrics",
    },
    javaOptions: javaOptions === undefined ? agent : `${javaOptions} ${agent}`,
  };
}
