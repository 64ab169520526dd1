import {
  confKey,
  confType,
  KindlingError,
  optionalConfKey,
  type ConfKey,
  type EnvVar,
  type ExecutorRequest,
} from "@kindling/core-spec";
import { DRIVER_PORT } from "../../keys/pod-keys.ts";
import { EXECUTOR_ENV } from "../../keys/prefixes.ts";
import { TASK_CPUS } from "../../keys/resource-keys.ts";
import { executorJavaOptions } from "./executor-java-options.ts";

const { boolean, text } = confType;

export const USE_DRIVER_POD_IP: ConfKey<boolean> = confKey({
  key: "spark.kubernetes.executor.useDriverPodIP",
  type: boolean,
  default: [{ from: "driver-address-by-default", text: "true" }, { text: "false" }],
  since: "4.1.0",
  readBy: ["driver", "executor"],
  doc: "Whether executors connect to the address of the driver's pod and not to the name of the driver Service.",
});

export const RECOVERY_MODE: ConfKey<boolean | undefined> = optionalConfKey({
  key: "spark.kubernetes.allocation.recoveryMode.enabled",
  type: boolean,
  since: "4.2.0",
  readBy: ["driver", "executor"],
  doc: "Whether executors run only one task at a time. Spark turns it on by itself after an executor has ended out of memory.",
});

export const CUSTOM_EXECUTOR_LOG_URL: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.ui.custom.executor.log.url",
  type: text,
  since: "3.2.0",
  readBy: ["driver", "executor"],
  doc: "The URL of the links to executor logs in Spark's web UI. From Spark 4.0 on, executors get the attributes that it may name.",
});

/** The environment variable in which executors expect the secret (Spark's SecurityManager). */
export const ENV_AUTH_SECRET = "_SPARK_AUTH_SECRET";

export const AUTHENTICATE_SECRET_FILE_EXECUTOR: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.authenticate.secret.executor.file",
  type: text,
  since: "3.0.0",
  readBy: ["executor"],
  alternatives: ["spark.authenticate.secret.file"],
  doc: "A file in executor pods that holds the authentication secret. If unset, executors get the secret in an environment variable.",
});

export const EXECUTOR_CLASS_PATH: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.executor.extraClassPath",
  type: text,
  since: "1.0.0",
  readBy: ["executor"],
  doc: "Entries that come first in the class path of executors.",
});

export const EXECUTOR_LIBRARY_PATH: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.executor.extraLibraryPath",
  type: text,
  since: "1.0.0",
  readBy: ["executor"],
  doc: "Where executors look for native libraries first. On Kubernetes, this works from Spark 4.1 on.",
});

/** The environment of an executor container, in Spark's order (BasicExecutorFeatureStep). */
export function executorEnv(executor: ExecutorRequest, cores: number, heapMiB: number): EnvVar[] {
  const { conf, appId, executorId, resourceProfile } = executor;
  const env: [name: string, value: string | undefined][] = [
    ["SPARK_USER", executor.user],
    ["SPARK_DRIVER_URL", driverUrl(executor)],
    ["SPARK_EXECUTOR_CORES", taskSlots(executor, cores)],
    ["SPARK_EXECUTOR_MEMORY", `${heapMiB}m`],
    ["SPARK_APPLICATION_ID", appId],
    ["SPARK_CONF_DIR", "/opt/spark/conf"],
    ["SPARK_EXECUTOR_ID", executorId],
    ["SPARK_RESOURCE_PROFILE_ID", String(resourceProfile.id)],
  ];
  if (conf.version.has("custom-log-attributes") && conf.get(CUSTOM_EXECUTOR_LOG_URL) !== undefined) {
    env.push(["SPARK_EXECUTOR_ATTRIBUTE_APP_ID", appId], ["SPARK_EXECUTOR_ATTRIBUTE_EXECUTOR_ID", executorId]);
  }
  env.push(...userEnv(executor));
  if (conf.get(AUTHENTICATE_SECRET_FILE_EXECUTOR) === undefined) env.push([ENV_AUTH_SECRET, executor.authSecret]);
  env.push(["SPARK_CLASSPATH", conf.get(EXECUTOR_CLASS_PATH)]);
  if (conf.version.has("executor-library-path"))
    env.push(["SPARK_EXECUTOR_LIBRARY_PATH", conf.get(EXECUTOR_LIBRARY_PATH)]);
  executorJavaOptions(executor).forEach((option, index) => env.push([`SPARK_JAVA_OPT_${index}`, option]));

  return [
    ...env.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }])),
    { name: "SPARK_EXECUTOR_POD_IP", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "status.podIP" } } },
    { name: "SPARK_EXECUTOR_POD_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.name" } } },
  ];
}

/** What the user set with spark.executorEnv, without names that cannot be environment variables. */
function userEnv({ conf, appId, executorId, notice }: ExecutorRequest): [string, string][] {
  return Object.entries(conf.withPrefix(EXECUTOR_ENV)).flatMap(([name, value]): [string, string][] => {
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(name)) {
      notice(`${EXECUTOR_ENV.prefix}${name} is left out: "${name}" cannot be the name of an environment variable`);
      return [];
    }
    const isDirs = name === "SPARK_EXECUTOR_DIRS";
    const resolved = value.replaceAll("SPARK_APPLICATION_ID", appId).replaceAll("SPARK_EXECUTOR_ID", executorId);
    return [[name, isDirs ? resolved : value]];
  });
}

function driverUrl({ conf }: ExecutorRequest): string {
  const byAddress = conf.version.has("driver-address") && conf.get(USE_DRIVER_POD_IP);
  // The running driver sets both; spark.driver.bindAddress is the address of its pod.
  const host = byAddress
    ? (conf.raw("spark.driver.bindAddress") ?? conf.raw("spark.driver.host"))
    : conf.raw("spark.driver.host");
  if (host === undefined) {
    throw new KindlingError("CONF_MISSING", "spark.driver.host: executors need the driver's address");
  }
  return `spark://CoarseGrainedScheduler@${host}:${conf.get(DRIVER_PORT)}`;
}

/** How many tasks the executor runs at a time: its cores or, in recovery mode, as many as one task takes. */
function taskSlots({ conf }: ExecutorRequest, cores: number): string {
  if (!conf.version.has("recovery-mode") || conf.get(RECOVERY_MODE) !== true) return String(cores);
  const taskCpus = conf.get(TASK_CPUS);
  return conf.version.has("whole-task-cpus") ? String(Math.max(1, Math.ceil(Number(taskCpus)))) : taskCpus;
}
