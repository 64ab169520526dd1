import {
  compareSpecs,
  KindlingError,
  runExecutorSteps,
  type KubernetesExecutorSpec,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import { supposedExecutor, type ExecutorSample } from "./supposed-executor.ts";

// What is not known before the driver runs: a step that uses it gives two different results for these.
const SAMPLES: readonly [ExecutorSample, ExecutorSample] = [
  { executorId: "1", resourceNamePrefix: "one", driverPod: { name: "one-driver", uid: "1" } },
  { executorId: "2", resourceNamePrefix: "other", driverPod: { name: "other-driver", uid: "2" } },
];

/**
 * What steps from outside add to all executors alike, for the pod template of a driver that makes its executors itself.
 *
 * @param initial the user's own template, as a spec; it is returned unchanged if the steps add nothing
 * @throws KindlingError `STEP_FAILED` if a step makes executors that differ from each other, or adds objects besides their
 *   pods: a template cannot express that
 */
export function executorAdditions(
  initial: KubernetesExecutorSpec,
  submission: Submission,
  steps: readonly Step[],
): KubernetesExecutorSpec {
  if (steps.length === 0) return initial;
  const [first, second] = SAMPLES;
  const run = (sample: ExecutorSample): KubernetesExecutorSpec =>
    runExecutorSteps(initial, supposedExecutor(submission, sample), steps).spec;
  const one = run(first);
  const addsObjects = one.executorKubernetesResources.length > 0;
  if (!addsObjects && compareSpecs(one, run(second)).length === 0) return one;
  const names = steps.map(({ name }) => name).join(", ");
  const what = addsObjects ? "objects beside the pods" : "something else to each executor";
  throw new KindlingError("STEP_FAILED", `of the steps ${names}, one adds ${what}, which a pod template cannot say`, {
    hint: "executors of a stock driver can get the same additions only, and none that names the executor or the driver pod; the gateway can run such steps: spark.kindling.scheduler=gateway",
  });
}
