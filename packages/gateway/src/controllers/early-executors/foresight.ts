import type { KubeObject } from "@kindling/kube-objects";
import { configMapName, runExecutorSteps, sparkConf, type ExecutorRequest } from "@kindling/core-spec";
import {
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

/** What a driver will ask for when it has started, as far as its configuration says it. */
export interface Foresight {
  /** What stands in for the ConfigMap that the driver makes for its executors, whose name it makes up. */
  readonly configMap: KubeObject;
  /** The pod that it will ask for; undefined if it will ask for more than a pod. */
  executor(id: number): KubeObject | undefined;
  /** The same pod, as it is to be made: waiting for its driver. */
  waiting(pod: KubeObject): KubeObject;
}

/** What a driver goes by that runs in a pod. */
export interface Started {
  /** Of its pod. */
  readonly address: string;
  /** Of its executors, as it mounts it. */
  readonly template: PodTemplate | undefined;
}

/** As in Spark's Constants.scala: what a submission in cluster mode sets, unless the user has set another. */
const DEFAULT_BLOCK_MANAGER_PORT = 7079;

/**
 * Undefined where nobody but the driver knows what it will ask for: with a secret that it makes up, and with classes that
 * only a JVM can run.
 *
 * @throws KindlingError for a configuration or a template that no executor can be made of
 */
export function foresee(
  recipe: ExecutorRecipe,
  owner: ExecutorOwner,
  { address, template }: Started,
): Foresight | undefined {
  const { sparkVersion, appName, env, confFiles } = recipe;
  // The entry point of Spark's images says so to a driver; the second since Spark 3.5.
  const told = { "spark.driver.bindAddress": address, [`spark.executorEnv.${DRIVER_POD_IP}`]: address };
  const entries = { ...recipe.conf.entries, ...told };
  const conf = sparkConf(entries, { sparkVersion, env: (name) => env[name] });
  if (conf.raw("spark.authenticate") === "true" || conf.get(EXECUTOR_FEATURE_STEPS).length > 0) return undefined;
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
    // Its block manager listens as soon as the driver takes executors.
    waiting: (pod) =>
      waitingForDriver(pod, sparkContainer(objectsAt(pod, "spec", "containers"), { conf }), { address, port }),
  };
}
