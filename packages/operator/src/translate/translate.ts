import { driverPodName, type SparkApplication } from "@kindling/spark-application";
import { entriesOf, entry, entryOfText } from "./conf-entries.ts";
import { dynamicAllocation } from "./dynamic-allocation.ts";
import { localDirVolumes } from "./local-dir-volumes.ts";
import { driverTemplate } from "./pod-templates.ts";
import { driverConf, executorConf } from "./role-conf.ts";
import { environment, secrets } from "./role-secrets.ts";
import { driverRole, executorRole } from "./roles.ts";
import type { ConfEntry, Translation } from "./translation.ts";

const DRIVER_POD_NAME = "spark.kubernetes.driver.pod.name";

/**
 * An application in the terms of spark-submit, as stock's operator builds its arguments (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/submission.go, `buildSparkSubmitArgs`). Only the driver owns the executors. Stock
 * adds a reference to the object, which keeps its executors from being cleaned up.
 *
 * @param application with its defaults
 * @throws KindlingError `CONF_INVALID` for scratch volumes that Spark has no key for
 */
export function translate(application: SparkApplication, { submissionId }: { submissionId: string }): Translation {
  const { metadata, spec } = application;
  const { deps = {} } = spec;
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    sparkVersion: spec.sparkVersion,
    mode: spec.mode ?? "",
    mainClass: spec.mainClass,
    loadSparkDefaults: false,
    jars: deps.jars ?? [],
    packages: deps.packages ?? [],
    excludePackages: deps.excludePackages ?? [],
    repositories: deps.repositories ?? [],
    pyFiles: deps.pyFiles ?? [],
    files: deps.files ?? [],
    archives: deps.archives ?? [],
    conf: confOf(application, submissionId),
    proxyUser: spec.proxyUser === "" ? undefined : spec.proxyUser,
    mainApplicationFile: spec.mainApplicationFile,
    arguments: spec.arguments ?? [],
    driverTemplate: driverTemplate(application),
    executorTemplate: spec.executor.template,
    driverPodName: driverPodName(application),
  };
}

/** Later entries win: the object's own fields win over its sparkConf, except the first group. */
function confOf(application: SparkApplication, submissionId: string): readonly ConfEntry[] {
  const { metadata, spec } = application;
  const driver = driverRole(application);
  const executor = executorRole(application);
  const { [DRIVER_POD_NAME]: _podName, ...sparkConf } = spec.sparkConf ?? {};
  return [
    ["spark.kubernetes.namespace", metadata.namespace],
    ...entryOfText("spark.kubernetes.container.image", spec.image),
    ...entryOfText("spark.kubernetes.container.image.pullPolicy", spec.imagePullPolicy),
    ...entry("spark.kubernetes.container.image.pullSecrets", joined(spec.imagePullSecrets)),
    ...entryOfText("spark.kubernetes.pyspark.pythonVersion", spec.pythonVersion),
    ...entryOfText("spark.kubernetes.memoryOverheadFactor", spec.memoryOverheadFactor),
    ["spark.kubernetes.submission.waitAppCompletion", "false"],
    ...entriesOf("", sparkConf),
    ...entriesOf("spark.hadoop.", spec.hadoopConf),
    [DRIVER_POD_NAME, driverPodName(application)],
    ...driverConf(application, driver, submissionId),
    ...environment(driver),
    ...secrets(driver),
    ...localDirVolumes(spec.volumes ?? [], driver),
    ...executorConf(application, executor, submissionId),
    ...environment(executor),
    ...secrets(executor),
    ...localDirVolumes(spec.volumes ?? [], executor),
    ...entriesOf("spark.kubernetes.node.selector.", spec.nodeSelector),
    ...dynamicAllocation(spec),
  ];
}

function joined(list: readonly string[] = []): string | undefined {
  return list.length === 0 ? undefined : list.join(",");
}
