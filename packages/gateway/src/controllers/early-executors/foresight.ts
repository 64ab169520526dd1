import type { KubeObject } from "@kindling/kube-objects";
import { configMapName, runExecutorSteps, sparkConf, type ExecutorRequest, type SparkConf } from "@kindling/core-spec";
import {
  AUTHENTICATE_SECRET_FILE_EXECUTOR,
  EXECUTOR_FEATURE_STEPS,
  executorConfigMap,
  executorObjects,
  initialExecutorSpec,
  POD_NAME_PREFIX,
  selectSteps,
  type PodTemplate,
} from "@kindling/steps";
import { type ExecutorOwner, executorRequest, sparkContainer } from "../executors/steps/configured-executor.ts";
import type { ExecutorRecipe } from "../executors/steps/executor-recipe.ts";
import { seededIdentifiers } from "../executors/steps/seeded-identifiers.ts";
import { objectsAt } from "../../json/fields.ts";
import { DRIVER_POD_IP } from "./spec-difference.ts";
import { waitingForDriver } from "./wait-for-driver.ts";

/** What a driver will ask for when it has started, according to its configuration. */
export interface Foresight {
  /** Takes the place of the ConfigMap that the driver creates for its executors with a random name. */
  readonly configMap: KubeObject;
  /** The pod that it will ask for; undefined if it will ask for more than a pod. */
  executor(id: number): KubeObject | undefined;
  /** The pod to create: the same, but it waits for its driver. */
  waiting(pod: KubeObject): KubeObject;
}

/** What is known about a driver that runs in a pod. */
export interface Started {
  /** The IP address of its pod. */
  readonly address: string;
  /** The pod template of its executors, as the driver mounts it. */
  readonly template: PodTemplate | undefined;
}

/** Spark's Constants.scala: a submission in cluster mode sets this port, unless the user has set another. */
const DEFAULT_BLOCK_MANAGER_PORT = 7079;

/** Without a file, the driver makes the secret itself and puts it into its executors. */
function isSecretUnknown(conf: SparkConf): boolean {
  return conf.raw("spark.authenticate") === "true" && conf.get(AUTHENTICATE_SECRET_FILE_EXECUTOR) === undefined;
}

/**
 * Undefined if only the driver can know what it will ask for: if it generates a secret, or if the configuration names classes
 * that only a JVM can run.
 *
 * @throws KindlingError if no executor can be made from the configuration or the template
 */
export function foresee(
  recipe: ExecutorRecipe,
  owner: ExecutorOwner,
  { address, template }: Started,
): Foresight | undefined {
  const { sparkVersion, appName, env, confFiles } = recipe;
  // The entry point of Spark's images passes these to a driver; the second since Spark 3.5.
  const told = { "spark.driver.bindAddress": address, [`spark.executorEnv.${DRIVER_POD_IP}`]: address };
  const entries = { ...recipe.conf.entries, ...told };
  const conf = sparkConf(entries, { sparkVersion, env: (name) => env[name] });
  if (isSecretUnknown(conf) || conf.get(EXECUTOR_FEATURE_STEPS).length > 0) return undefined;
  const prefix = conf.get(POD_NAME_PREFIX);
  const port = Number(conf.raw("spark.driver.blockManager.port") ?? DEFAULT_BLOCK_MANAGER_PORT);
  if (prefix === undefined || !Number.isInteger(port) || port <= 0) return undefined;
  const ids = seededIdentifiers(`${owner.driverUid}/early`);
  const configMap = configMapName(`spark-exec-${ids.uniqueId("executor-config-map")}`);
  const steps = selectSteps(conf, "executor");
  const confFilesOfAll = { configMapName: configMap, names: Object.keys(confFiles) };
  const requestOf = (executorId: string): ExecutorRequest =>
    executorRequest({ sparkVersion, appName, conf, env }, owner, {
      ...{ executorId, resourceNamePrefix: prefix, ids },
      resourceProfile: { id: 0 },
      confFiles: confFilesOfAll,
    });
  return {
    configMap: executorConfigMap(requestOf("1"), confFiles) as unknown as KubeObject,
    executor(id) {
      const request = requestOf(String(id));
      const { spec } = runExecutorSteps(
        initialExecutorSpec(template, () => {}),
        request,
        steps,
      );
      const { pod, resources } = executorObjects(spec, request);
      return resources.length === 0 ? (pod as unknown as KubeObject) : undefined;
    },
    // The driver's block manager listens as soon as the driver accepts executors.
    waiting: (pod) =>
      waitingForDriver(pod, sparkContainer(objectsAt(pod, "spec", "containers"), { conf }), { address, port }),
  };
}
