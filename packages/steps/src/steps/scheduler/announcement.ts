import {
  KindlingError,
  SCHEDULER_ADMISSION_GATE,
  SCHEDULER_EXECUTOR_PLACEMENT_ANNOTATION,
  SCHEDULER_EXECUTOR_REQUEST_ANNOTATION,
  SCHEDULER_GATEWAY_LABEL,
  SCHEDULER_KUEUE_QUEUE_LABEL,
  SCHEDULER_MIN_EXECUTORS_ANNOTATION,
  SCHEDULER_PRIORITY_ANNOTATION,
  SCHEDULER_QUEUE_LABEL,
  type KubernetesDriverSpec,
  type Pod,
  type Submission,
} from "@kindling/core-spec";
import { onDriver, withSparkConf, withSpec } from "../../spark-pod.ts";
import { restartAnnotations } from "./driver-restart.ts";
import { earlyStart } from "./early-start.ts";
import { type ExecutorPlacement, executorPlacement, executorRoom } from "./executor-room.ts";
import { leastExecutors } from "./least-executors.ts";
import { spotAnnotations } from "./spot.ts";
import { localQueueIn, SCHEDULER, SCHEDULER_GATE, SCHEDULER_PRIORITY, SCHEDULER_QUEUE } from "./scheduler-keys.ts";

/**
 * Tells the gateway what it must know before the driver asks for anything, and holds the driver pod back until there is room.
 */
export function withAnnouncement(spec: KubernetesDriverSpec, submission: Submission): KubernetesDriverSpec {
  const { conf, resourceNamePrefix } = submission;
  const early = earlyStart(conf, resourceNamePrefix);
  const queue = conf.get(SCHEDULER_QUEUE);
  const labels = {
    [SCHEDULER_GATEWAY_LABEL]: "true",
    ...(queue !== undefined && queueLabel(queue)),
  };
  const annotations = {
    [SCHEDULER_MIN_EXECUTORS_ANNOTATION]: String(leastExecutors(conf)),
    // Left out if the user sets none: a queue may have its own default priority.
    ...(conf.raw(SCHEDULER_PRIORITY.key) !== undefined && {
      [SCHEDULER_PRIORITY_ANNOTATION]: String(conf.get(SCHEDULER_PRIORITY)),
    }),
    [SCHEDULER_EXECUTOR_REQUEST_ANNOTATION]: JSON.stringify(executorRoom(spec, submission)),
    ...placementAnnotation(spec, submission),
    ...spotAnnotations(conf),
    ...restartAnnotations(conf),
    ...early.annotations,
  };
  return onDriver(withSparkConf(spec, early.driverSparkConf), ({ pod, container }) => {
    const { metadata } = pod;
    refuseOthers("label", metadata?.labels, labels);
    const priority = { [SCHEDULER_PRIORITY_ANNOTATION]: String(conf.get(SCHEDULER_PRIORITY)) };
    refuseOthers("annotation", metadata?.annotations, { ...priority, ...annotations });
    const named = {
      ...pod,
      metadata: {
        ...metadata,
        labels: { ...metadata?.labels, ...labels },
        annotations: { ...metadata?.annotations, ...annotations },
      },
    };
    return { pod: conf.get(SCHEDULER_GATE) ? gated(named) : named, container };
  });
}

function queueLabel(queue: string): Record<string, string> {
  const localQueue = localQueueIn(queue);
  return localQueue === undefined ? { [SCHEDULER_QUEUE_LABEL]: queue } : { [SCHEDULER_KUEUE_QUEUE_LABEL]: localQueue };
}

/** Left out if executors may run where their driver may. */
function placementAnnotation(spec: KubernetesDriverSpec, submission: Submission): Record<string, string> {
  const placement = executorPlacement(spec, submission);
  const { nodeSelector, affinity, tolerations } = spec.driverPod.spec ?? {};
  if (placementText(placement) === placementText({ nodeSelector, affinity, tolerations })) return {};
  return { [SCHEDULER_EXECUTOR_PLACEMENT_ANNOTATION]: JSON.stringify(placement) };
}

/** The same for placements that say the same; empty members say nothing. */
function placementText(placement: {
  readonly [K in keyof ExecutorPlacement]: ExecutorPlacement[K] | undefined;
}): string {
  const members = [placement.nodeSelector, placement.affinity, placement.tolerations];
  return JSON.stringify(members.map((member) => (Object.keys(member ?? {}).length > 0 ? member : undefined)));
}

/** This step's keys are checked; a label or annotation with the same meaning beside them would not be. */
function refuseOthers(
  kind: "label" | "annotation",
  present: Readonly<Record<string, string>> = {},
  ours: Readonly<Record<string, string>>,
): void {
  const other = Object.keys(ours).find((name) => present[name] !== undefined && present[name] !== ours[name]);
  if (other === undefined) return;
  throw new KindlingError(
    "CONF_CONFLICT",
    `${kind} ${other} of the driver pod is set by ${SCHEDULER.key}=gateway, and something else sets it too`,
    {
      hint: `leave it out of the pod template and of spark.kubernetes.driver.${kind}.*: spark.kindling.scheduler.* say the same`,
    },
  );
}

function gated(pod: Pod): Pod {
  const gates = pod.spec?.schedulingGates ?? [];
  const hasOurs = gates.some(({ name }) => name === SCHEDULER_ADMISSION_GATE);
  return hasOurs ? pod : withSpec(pod, { schedulingGates: [...gates, { name: SCHEDULER_ADMISSION_GATE }] });
}
