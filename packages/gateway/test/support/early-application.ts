import { runExecutorSteps, sparkConf, type ExecutorRequest, type Pod } from "@kindling/core-spec";
import { executorObjects, initialExecutorSpec, runningDriverConf, selectSteps } from "@kindling/steps";
import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { eventually } from "@kindling/test-kit/eventually";
import type { FakeDriver } from "./fake-driver.ts";
import { type HandedOver, runHandedOver } from "./handed-over.ts";

const SPARK_VERSION = "4.3.0";
const TEMPLATE_FILE = "spark.kubernetes.executor.podTemplateFile";
const TEMPLATE_PATH = "/opt/spark/pod-template/pod-spec-template.yml";

/** What the driver starts with. */
export const CONF: Readonly<Record<string, string>> = {
  "spark.app.name": "drv",
  "spark.app.id": "spark-drv",
  "spark.driver.host": "drv-svc.spark-jobs.svc",
  "spark.driver.port": "7078",
  "spark.driver.blockManager.port": "7079",
  "spark.executor.instances": "2",
  "spark.kubernetes.container.image": "spark",
  "spark.kubernetes.namespace": "spark-jobs",
  "spark.kubernetes.driver.pod.name": "drv",
  "spark.kubernetes.executor.podNamePrefix": "drv",
};

/** Runs the driver of an application with two executors, which may be created early. */
export function runEarly(
  cluster: TestCluster,
  given: Partial<Pick<HandedOver, "steps" | "early" | "template" | "conf">> = {},
): Promise<FakeDriver> {
  const template = given.template === undefined ? {} : { [TEMPLATE_FILE]: TEMPLATE_PATH };
  return runHandedOver(cluster, "drv", {
    steps: [],
    early: 2,
    ...given,
    conf: { ...CONF, ...template, ...given.conf },
  });
}

/**
 * The executor that Spark asks for in that driver; the driver uses another application name than its submission.
 *
 * @param changes what the driver's code sets
 */
export function askedBySpark(
  driver: FakeDriver,
  id: number,
  changes: Readonly<Record<string, string>> = {},
  template?: object,
): Pod {
  const env: Readonly<Record<string, string>> = { SPARK_USER: "ada", SPARK_LOCAL_DIRS: "/var/data/spark-1" };
  const entries = { ...CONF, "spark.driver.bindAddress": driver.pod.status?.podIP ?? "", ...changes };
  const conf = sparkConf(runningDriverConf(entries, SPARK_VERSION), {
    sparkVersion: SPARK_VERSION,
    env: (name) => env[name],
  });
  const request: ExecutorRequest = {
    sparkVersion: SPARK_VERSION,
    conf,
    appId: "spark-drv",
    appName: "Named in its code",
    executorId: String(id),
    resourceNamePrefix: "drv",
    resourceProfile: { id: 0 },
    driverPod: { name: "drv", uid: driver.uid },
    user: "ada",
    env,
    confFiles: { configMapName: "spark-exec-made-up-conf-map", names: [] },
    authSecret: undefined,
    ids: { uniqueId: () => "0123456789abcdef", uuid: () => "00000000-0000-4000-8000-000000000000" },
    notice: () => {},
  };
  const given = template && { content: template, origin: "template", containerName: undefined };
  const initial = initialExecutorSpec(given, () => {});
  const { spec } = runExecutorSteps(initial, request, selectSteps(conf, "executor"));
  return executorObjects(spec, request).pod;
}

/** Waits until `count` of its executors are in the cluster, and returns their names. */
export async function madeEarly(driver: FakeDriver, count: number): Promise<string[]> {
  return await eventually(async () => {
    const names = await driver.executorsInCluster();
    if (names.length !== count) throw new Error(`there are ${names.length} executors and not ${count}`);
    return names.sort();
  });
}
