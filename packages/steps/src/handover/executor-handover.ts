import {
  KindlingError,
  runExecutorSteps,
  SCHEDULER_EXECUTOR_REQUEST_ANNOTATION,
  SCHEDULER_EXECUTOR_STEPS_ANNOTATION,
  type ConfigMap,
  type ConfKey,
  type ConfPrefix,
  type SparkConf,
  type Step,
} from "@kindling/core-spec";
import { selectSteps } from "../chains/feature-steps.ts";
import { supposedExecutor } from "../objects/supposed-executor.ts";
import { onDriver, withResources } from "../spark-pod.ts";
import type { HandedDependencies } from "../staged/handed-dependencies.ts";
import { shuffleServer } from "../shuffle/shuffle-step.ts";
import { PODS_ALLOCATOR } from "../steps/basic/basic-executor.ts";
import { executorRoom } from "../steps/scheduler/executor-room.ts";
import { formatHandover, HANDOVER_ENTRY, type HandedStep } from "./handover.ts";
import { SCHEDULER, SCHEDULER_EXECUTOR_STEPS } from "../steps/scheduler/scheduler-keys.ts";

/**
 * Whether the gateway, and not the submission, runs the executor halves of steps from outside. With another allocator than
 * `direct`, Kubernetes makes all executors alike, so only a template can be used for them.
 */
export function handsStepsOver(conf: SparkConf): boolean {
  const isOneByOne = conf.get(PODS_ALLOCATOR) === "direct";
  return conf.get(SCHEDULER) === "gateway" && conf.get(SCHEDULER_EXECUTOR_STEPS) === "gateway" && isOneByOne;
}

/**
 * Tells the gateway which steps to run for each executor: in a ConfigMap that belongs to the driver pod and is named on it.
 * Here they are run once after Spark's own steps, for a sample executor, so that errors show now. The requests of this sample
 * are those of a later executor.
 *
 * @param steps those that have an executor half, in their order
 * @param dependencies what the gateway needs in order to run the step that brings dependencies
 */
export function executorHandover(steps: readonly Step[], dependencies: HandedDependencies | undefined): Step {
  return {
    name: "executor-handover",
    keys: [SCHEDULER, SCHEDULER_EXECUTOR_STEPS, PODS_ALLOCATOR, ...steps.flatMap(({ keys = [] }) => keys)],
    after: steps.map(({ name }) => name),
    overrides: [`driverPod.metadata.annotations[${SCHEDULER_EXECUTOR_REQUEST_ANNOTATION}]`],
    configureDriver(spec, submission) {
      const { conf, sparkVersion, appName, resourceNamePrefix } = submission;
      const executor = supposedExecutor(submission, SAMPLE, { ...ADDRESS, ...conf.entries, ...spec.driverSparkConf });
      const all = [...selectSteps(executor.conf, "executor"), ...steps];
      const room = executorRoom(spec, submission, (initial) => runExecutorSteps(initial, executor, all).spec);
      const configMap: ConfigMap = {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `${resourceNamePrefix}-executor-steps` },
        immutable: true,
        data: {
          [HANDOVER_ENTRY]: formatHandover({
            sparkVersion,
            appName,
            conf: ownEntries(conf, steps),
            steps: steps.map((step) => handedStep(step, dependencies)),
          }),
        },
      };
      const announced = onDriver(spec, ({ pod, container }) => {
        const present = pod.metadata?.annotations ?? {};
        if (present[SCHEDULER_EXECUTOR_STEPS_ANNOTATION] !== undefined) throw setTwice();
        const annotations = {
          ...present,
          [SCHEDULER_EXECUTOR_REQUEST_ANNOTATION]: JSON.stringify(room),
          [SCHEDULER_EXECUTOR_STEPS_ANNOTATION]: configMap.metadata.name,
        };
        return { pod: { ...pod, metadata: { ...pod.metadata, annotations } }, container };
      });
      return withResources(announced, configMap);
    },
  };
}

const SAMPLE = { executorId: "1", resourceNamePrefix: "executor", driverPod: { name: "driver", uid: "uid" } };

/** What a running driver knows about itself, if nothing else is configured. */
const ADDRESS = { "spark.driver.host": "driver", "spark.driver.bindAddress": "driver" };

function handedStep(
  { name, executorChanges: changes }: Step,
  dependencies: HandedDependencies | undefined,
): HandedStep {
  if (dependencies?.by === name) return { name, dependencies };
  return changes === undefined ? { name } : { name, changes };
}

/** Keys that the driver does not get, as far as the steps declare them. A secret does not go into a ConfigMap. */
function ownEntries({ entries }: SparkConf, steps: readonly Step[]): Record<string, string> {
  const keys = steps.flatMap((step) => step.keys ?? []);
  const isWanted = (name: string): boolean =>
    name.startsWith("spark.kindling.") && keys.some((key) => covers(key, name));
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isWanted(name)));
}

function covers(key: ConfKey<unknown> | ConfPrefix, name: string): boolean {
  if ("prefix" in key) return name.startsWith(key.prefix);
  return key.secret !== true && (key.key === name || key.alternatives?.includes(name) === true);
}

function setTwice(): KindlingError {
  const name = SCHEDULER_EXECUTOR_STEPS_ANNOTATION;
  return new KindlingError("CONF_CONFLICT", `annotation ${name} of the driver pod is set by ${SCHEDULER.key}=gateway`, {
    hint: "leave it out of the pod template and of spark.kubernetes.driver.annotation.*",
  });
}

/** Steps that come with the submission, and that the gateway runs without having them installed. */
export function broughtSteps(steps: readonly Step[], dependencies: HandedDependencies | undefined): Step[] {
  return steps.filter(
    ({ name, executorChanges }) =>
      executorChanges !== undefined || dependencies?.by === name || name === shuffleServer.name,
  );
}
