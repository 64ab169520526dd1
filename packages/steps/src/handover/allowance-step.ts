import {
  SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION,
  type KubernetesDriverSpec,
  type Step,
  type Submission,
} from "@kindling/core-spec";
import {
  allowanceFor,
  allowanceParts,
  joinedAllowances,
  parseAllowance,
  type Allowance,
} from "../executor-policy/allowance.ts";
import type { PodParts } from "../executor-policy/executor-excess.ts";
import { sampleExecutorPod } from "./sample-executor.ts";
import { onDriver } from "../spark-pod.ts";
import { SCHEDULER } from "../steps/scheduler/scheduler-keys.ts";

/**
 * Writes on the driver's pod what its executors may have in addition to the pod: what the submission's own keys, its template
 * and its own steps put into them. A driver cannot change this, and the gateway refuses everything beyond it. An existing
 * annotation stays, and only what the submission's steps add is added to it.
 *
 * It works on a sample executor, with the gateway's own rules. Classes that only a JVM can run may add more: then the
 * annotation must be written by hand.
 *
 * @param brought steps that come with the submission, and that the gateway runs without having them installed
 * @param after the names of the steps that may still change the driver's pod
 */
export function executorAllowance(brought: readonly Step[], after: readonly string[]): Step {
  return {
    name: "executor-allowance",
    keys: [SCHEDULER],
    after: [...after],
    overrides: [`driverPod.metadata.annotations[${SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION}]`],
    configureDriver(spec, submission) {
      const annotation = spec.driverPod.metadata?.annotations?.[SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION];
      const present = annotation === undefined ? undefined : parseAllowance(annotation);
      // The existing annotation is no allowance: the gateway will allow nothing, as its users are told.
      if (annotation !== undefined && present === undefined) return spec;
      const driver = driverParts(spec);
      const needed = (steps: readonly Step[], given: Allowance): Allowance =>
        allowanceFor(executorParts(spec, submission, steps), { driver, allowance: allowanceParts(given) });
      // If an allowance exists already, its author decides about what Spark's own steps need: nothing is added for these.
      const known = present === undefined ? {} : joinedAllowances(needed([], present), present);
      const added = needed(brought, known);
      if (Object.keys(added).length === 0) return spec;
      return withAllowance(spec, joinedAllowances(present ?? {}, added));
    },
  };
}

function withAllowance(spec: KubernetesDriverSpec, allowance: Allowance): KubernetesDriverSpec {
  const annotation = { [SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION]: JSON.stringify(allowance) };
  return onDriver(spec, ({ pod, container }) => {
    const annotations = { ...pod.metadata?.annotations, ...annotation };
    return { pod: { ...pod, metadata: { ...pod.metadata, annotations } }, container };
  });
}

function driverParts({ driverPod, driverContainer }: KubernetesDriverSpec): PodParts {
  const containers = [...(driverPod.spec?.containers ?? []), driverContainer];
  return { annotations: driverPod.metadata?.annotations, spec: { ...driverPod.spec, containers } };
}

function executorParts(spec: KubernetesDriverSpec, submission: Submission, steps: readonly Step[]): PodParts {
  const { metadata, spec: podSpec } = sampleExecutorPod(spec, submission, steps);
  return { name: metadata?.name, annotations: metadata?.annotations, spec: podSpec };
}
