/**
 * What Spark measures and how the JMX exporter names it, if the application does not say so. The names are stock's
 * (kubeflow/spark-operator v2.5.2, pkg/common/prometheus.go), because dashboards use them.
 */

const SOURCE = "org.apache.spark.metrics.source.JvmSource";

/** `metrics.properties`. */
export const DEFAULT_METRICS_PROPERTIES: string = [
  "*.sink.jmx.class=org.apache.spark.metrics.sink.JmxSink",
  `driver.source.jvm.class=${SOURCE}`,
  `executor.source.jvm.class=${SOURCE}`,
  "",
].join("\n");

interface Rule {
  /** The pattern after namespace and application, which are the groups 1 and 2. */
  readonly metric: string;
  readonly attribute: "Value" | "Count";
  readonly name: string;
  /** The label that the third group gives. */
  readonly third?: "executor_id" | "query_name";
}

function counter(source: string, ofExecutor = false): Rule {
  return ofExecutor
    ? {
        metric: String.raw`([0-9]+)\.${source}\.(.*)`,
        attribute: "Count",
        name: `spark_executor_${source}_$4_count`,
        third: "executor_id",
      }
    : { metric: String.raw`driver\.${source}\.(.*)`, attribute: "Count", name: `spark_driver_${source}_$3_count` };
}

// If several rules match, the first one counts.
const RULES: readonly Rule[] = [
  {
    metric: String.raw`driver\.(BlockManager|DAGScheduler|jvm)\.(\S+)`,
    attribute: "Value",
    name: "spark_driver_$3_$4",
  },
  {
    metric: String.raw`driver\.(\S+)\.StreamingMetrics\.streaming\.(\S+)`,
    attribute: "Value",
    name: "spark_streaming_driver_$4",
  },
  {
    metric: String.raw`driver\.spark\.streaming\.(\S+)\.(.*)`,
    attribute: "Value",
    name: "spark_structured_streaming_driver_$4",
    third: "query_name",
  },
  { metric: String.raw`(\S+)\.executor\.(\S+)`, attribute: "Value", name: "spark_executor_$4", third: "executor_id" },
  ...["DAGScheduler", "HiveExternalCatalog", "CodeGenerator", "LiveListenerBus"].map((source) => counter(source)),
  { metric: String.raw`driver\.LiveListenerBus\.(.*)`, attribute: "Value", name: "spark_driver_LiveListenerBus_$3" },
  {
    metric: String.raw`(.*)\.executor\.(.*)`,
    attribute: "Count",
    name: "spark_executor_$4_count",
    third: "executor_id",
  },
  {
    metric: String.raw`([0-9]+)\.(jvm|NettyBlockTransfer)\.(.*)`,
    attribute: "Value",
    name: "spark_executor_$4_$5",
    third: "executor_id",
  },
  ...["HiveExternalCatalog", "CodeGenerator"].map((source) => counter(source, true)),
];

/** `prometheus.yaml`. */
export const DEFAULT_JMX_EXPORTER_CONFIGURATION: string = [
  "lowercaseOutputName: true",
  "attrNameSnakeCase: true",
  "rules:",
  ...RULES.flatMap(ruleLines),
  "",
].join("\n");

function ruleLines({ metric, attribute, name, third }: Rule): readonly string[] {
  const pattern = String.raw`metrics<name=(\S+)\.(\S+)\.${metric}><>${attribute}`;
  const labels = { app_namespace: "$1", app_id: "$2", ...(third !== undefined && { [third]: "$3" }) };
  return [
    // A JSON string is also a YAML string in double quotes.
    `  - pattern: ${JSON.stringify(pattern)}`,
    `    name: ${name}`,
    `    type: ${attribute === "Value" ? "GAUGE" : "COUNTER"}`,
    "    labels:",
    ...Object.entries(labels).map(([label, group]) => `      ${label}: ${JSON.stringify(group)}`),
  ];
}
