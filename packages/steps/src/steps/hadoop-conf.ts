import {
  confType,
  KindlingError,
  optionalConfKey,
  type ConfigMap,
  type ConfKey,
  type KeyToPath,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { add, onDriver, onExecutor, withResources, withSparkConf, type SparkPod } from "../spark-pod.ts";
import { plainPath } from "../uris.ts";

const VOLUME = "hadoop-properties";
const MOUNT = "/opt/hadoop/conf";
const EXECUTOR_CONFIG_MAP = "spark.kubernetes.executor.hadoopConfigMapName";

export const HADOOP_CONFIG_MAP: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.hadoop.configMapName",
  type: confType.text,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "A ConfigMap of the namespace with the Hadoop configuration of driver and executors. Cannot be combined with HADOOP_CONF_DIR.",
});

/**
 * The Hadoop configuration: the files of the submitter's HADOOP_CONF_DIR, or an existing ConfigMap. Counterpart of
 * `HadoopConfDriverFeatureStep` and `HadoopConfExecutorFeatureStep`.
 */
export const hadoopConf: Step = {
  name: "hadoop-conf",
  keys: [HADOOP_CONFIG_MAP],
  overrides: [`driverSparkConf[${EXECUTOR_CONFIG_MAP}]`],
  localFiles: (_, { HADOOP_CONF_DIR: directory }) => (directory === undefined ? [] : [plainPath(directory)]),
  configureDriver(spec, submission) {
    const { conf, env, resourceNamePrefix } = submission;
    const directory = env["HADOOP_CONF_DIR"];
    const existing = conf.get(HADOOP_CONFIG_MAP);
    if (directory === undefined && existing === undefined) return spec;
    if (directory !== undefined && existing !== undefined) {
      throw new KindlingError(
        "CONF_CONFLICT",
        `${HADOOP_CONFIG_MAP.key} and the environment variable HADOOP_CONF_DIR must not both be set`,
      );
    }
    const name = existing ?? `${resourceNamePrefix}-hadoop-config`;
    const data = directory === undefined ? undefined : readFiles(directory, submission);
    const items = data && Object.keys(data).map((file): KeyToPath => ({ key: file, path: file }));
    const mounted = withSparkConf(
      onDriver(spec, (sparkPod) => mount(sparkPod, name, items)),
      { [EXECUTOR_CONFIG_MAP]: name },
    );
    if (data === undefined) return mounted;
    const configMap: ConfigMap = {
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, immutable: true },
      ...(Object.keys(data).length > 0 && { data }),
    };
    return withResources(mounted, configMap);
  },
  configureExecutor(spec, { conf }) {
    const name = conf.raw(EXECUTOR_CONFIG_MAP);
    return name === undefined ? spec : onExecutor(spec, (sparkPod) => mount(sparkPod, name, undefined));
  },
};

function mount(sparkPod: SparkPod, configMap: string, items: KeyToPath[] | undefined): SparkPod {
  return add(sparkPod, {
    volumes: [
      { name: VOLUME, configMap: { name: configMap, ...(items !== undefined && items.length > 0 && { items }) } },
    ],
    volumeMounts: [{ name: VOLUME, mountPath: MOUNT }],
    env: [{ name: "HADOOP_CONF_DIR", value: MOUNT }],
  });
}

// Kubernetes, "ConfigMaps".
const CONFIG_MAP_BYTES = 1024 * 1024;

function readFiles(directory: string, { files, conf }: Submission): Record<string, string> {
  const data: Record<string, string> = {};
  const listed = files.listFiles(plainPath(directory)) ?? [];
  const total = listed.reduce((sum, { size }) => sum + size, 0);
  if (total > CONFIG_MAP_BYTES) {
    throw new KindlingError(
      "FILE_UNREADABLE",
      `HADOOP_CONF_DIR: the files in ${directory} have ${total} bytes, and a ConfigMap holds ${CONFIG_MAP_BYTES}`,
      { hint: `leave out what the driver does not need, or name a ConfigMap with ${HADOOP_CONFIG_MAP.key}` },
    );
  }
  for (const { name, path } of listed) {
    const text = files.readText(path);
    if (text === undefined && conf.version.has("hadoop-conf-in-utf-8")) {
      throw new KindlingError("FILE_UNPARSABLE", `HADOOP_CONF_DIR: ${path} is not a UTF-8 text`);
    }
    data[name] = text ?? new TextDecoder().decode(files.readBytes(path));
  }
  return data;
}
