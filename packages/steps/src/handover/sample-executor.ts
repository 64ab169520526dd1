import {
  configMapName,
  runExecutorSteps,
  type KubernetesDriverSpec,
  type Pod,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { selectSteps } from "../chains/feature-steps.ts";
import { executorTemplate } from "../steps/scheduler/executor-template.ts";
import { executorObjects } from "../objects/executor-objects.ts";
import { supposedExecutor } from "../objects/supposed-executor.ts";

/** Named as executors are, and with the objects that a driver makes for them. */
const SAMPLE = { executorId: "1", resourceNamePrefix: "sample", driverPod: { name: "driver", uid: "uid" } };

/** What a running driver knows about itself, if nothing else is configured. */
const ADDRESS = { "spark.driver.host": "driver", "spark.driver.bindAddress": "driver" };

/**
 * The pod of an executor, as far as a submission knows it: what its template, its keys and Spark's own steps make, and the
 * given steps after them.
 *
 * @param spec the driver, when its steps have run
 */
export function sampleExecutorPod(spec: KubernetesDriverSpec, submission: Submission, steps: readonly Step[]): Pod {
  const entries = { ...ADDRESS, ...submission.conf.entries, ...spec.driverSparkConf };
  const supposed = supposedExecutor(submission, SAMPLE, entries);
  const executor = { ...supposed, confFiles: { configMapName: configMapName("spark-exec-sample"), names: [] } };
  const { origin: _origin, ...template } = executorTemplate(submission);
  const initial = { ...template, executorKubernetesResources: [] };
  const made = runExecutorSteps(initial, executor, [...selectSteps(executor.conf, "executor"), ...steps]).spec;
  return executorObjects(made, executor).pod;
}
