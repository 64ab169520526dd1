import { OPERATOR_LABELS, type SparkConnect } from "@kindling/spark-application";
import { EXECUTOR_CONTAINER } from "../pods/spark-names.ts";
import { dynamicAllocation } from "../translate/dynamic-allocation.ts";
import { entriesOf, entry } from "../translate/conf-entries.ts";
import type { ConfEntry } from "../translate/translation.ts";
import { serverPodName } from "./connect-names.ts";
import { PORTS } from "./server-ports.ts";
import { quotedWord, shellWord } from "./shell-word.ts";
import { templateImage } from "../pods/template-container.ts";

/** The file with the executors' pod template, in the server's container. */
export const TEMPLATE_FILE = "executor-pod-template.yaml";
export const TEMPLATE_PATH: string = `/tmp/spark/${TEMPLATE_FILE}`;

/** The API server as pods reach it, by the environment of a pod. An operator outside the cluster has none. */
export function masterUrl(env: Readonly<Record<string, string | undefined>>): string {
  const { KUBERNETES_SERVICE_HOST: host = "", KUBERNETES_SERVICE_PORT: port = "" } = env;
  if (host === "" || port === "") return "k8s://https://kubernetes.default.svc:443";
  return `k8s://https://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}

/**
 * The command line of a server, for a shell (kubeflow/spark-operator 38082f33, internal/controller/sparkconnect/options.go,
 * `buildStartConnectServerArgs`). The keys of a map are sorted, and words that a shell would change are quoted: stock
 * quotes only sparkConf and hadoopConf.
 */
export function serverCommand(connect: SparkConnect, master: string): string {
  const { metadata, spec } = connect;
  const conf = (entries: readonly ConfEntry[]): readonly string[] =>
    entries.flatMap(([key, value]) => ["--conf", shellWord(`${key}=${value}`)]);
  const quoted = (entries: readonly ConfEntry[]): readonly string[] =>
    entries.flatMap(([key, value]) => ["--conf", quotedWord(`${key}=${value}`)]);
  const { [DRIVER_POD_NAME]: _podName, ...sparkConf } = spec.sparkConf ?? {};
  return [
    "${SPARK_HOME}/sbin/start-connect-server.sh",
    ...["--master", shellWord(master)],
    ...conf([["spark.kubernetes.namespace", metadata.namespace], ...imageConf(connect)]),
    ...quoted(entriesOf("", sparkConf)),
    ...quoted(entriesOf("", hadoopConf(spec.hadoopConf))),
    ...conf(driverConf(connect)),
    ...["--conf", `spark.driver.host=${DRIVER_HOST}`],
    ...conf(USE_POD_IP in sparkConf ? [] : [[USE_POD_IP, "false"]]),
    ...conf(driverPlace(connect)),
    ...conf(executorConf(connect)),
    ...conf(spec.executor.template === undefined ? [] : TEMPLATE_CONF),
    ...conf(dynamicAllocation(spec)),
  ].join(" ");
}

const DRIVER_POD_NAME = "spark.kubernetes.driver.pod.name";

/**
 * With it, Spark tells executors the address at which the driver listens, and not the driver's host. It is on by default from
 * 4.3, and the driver listens everywhere: executors would look for it at 0.0.0.0 (SPARK-57351, SPARK-58748). Stock does not
 * set it, so that no executor of a server with Spark 4.3 finds the server.
 */
const USE_POD_IP = "spark.kubernetes.executor.useDriverPodIP";

/** The address of the server's pod, in brackets if it is an IPv6 address. A shell in the pod finds it out. */
const DRIVER_HOST =
  '$(host=${POD_IP}; if [[ $host == *:* ]] && [[ $host != \\[* ]]; then echo "[$host]"; else echo "$host"; fi)';

const TEMPLATE_CONF: readonly ConfEntry[] = [
  ["spark.kubernetes.executor.podTemplateFile", TEMPLATE_PATH],
  ["spark.kubernetes.executor.podTemplateContainerName", EXECUTOR_CONTAINER],
];

function imageConf({ spec }: SparkConnect): readonly ConfEntry[] {
  const image = templateImage(spec.executor.template, EXECUTOR_CONTAINER) ?? spec.image;
  return [
    ...entry("spark.kubernetes.container.image", image),
    ...entry("spark.kubernetes.executor.container.image", image),
  ];
}

const HADOOP_PREFIX = "spark.hadoop.";

function hadoopConf(conf: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(conf).map(([key, value]) => [key.startsWith(HADOOP_PREFIX) ? key : `${HADOOP_PREFIX}${key}`, value]),
  );
}

function driverConf(connect: SparkConnect): readonly ConfEntry[] {
  const { cores, memory } = connect.spec.server;
  return [
    ...podLabels(connect, "spark.kubernetes.driver.label."),
    ...entry("spark.driver.cores", cores),
    ...entry("spark.driver.memory", memory),
    ["spark.driver.bindAddress", "0.0.0.0"],
  ];
}

function driverPlace(connect: SparkConnect): readonly ConfEntry[] {
  return [
    ["spark.driver.port", String(PORTS.driver)],
    ["spark.driver.blockManager.port", String(PORTS.blockManager)],
    [DRIVER_POD_NAME, serverPodName(connect)],
  ];
}

function executorConf(connect: SparkConnect): readonly ConfEntry[] {
  const { instances, cores, memory } = connect.spec.executor;
  return [
    ...podLabels(connect, "spark.kubernetes.executor.label."),
    ...entry("spark.executor.instances", instances),
    ...entry("spark.executor.cores", cores),
    ...entry("spark.executor.memory", memory),
    ["spark.kubernetes.executor.podNamePrefix", connect.metadata.name],
  ];
}

function podLabels({ metadata: { name, labels } }: SparkConnect, prefix: string): readonly ConfEntry[] {
  return [
    [`${prefix}${OPERATOR_LABELS.launchedBy}`, "true"],
    [`${prefix}${OPERATOR_LABELS.connectName}`, name],
    ...entriesOf(prefix, labels),
  ];
}
