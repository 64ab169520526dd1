import { type PolicySnapshot, protectionIn, type QueueProtection } from "@kindling/admission";
import type { KubeObject } from "@kindling/kube-objects";
import { objectAt } from "../json/fields.ts";
import { isToldBeforeItsEnd } from "../spark/spark-pod.ts";

/**
 * Annotations that keep an autoscaler from moving a pod to empty its node (Karpenter, "Disruption"; cluster-autoscaler, FAQ,
 * "What types of pods can prevent CA from removing a node?").
 */
export const PROTECTING: Readonly<Record<string, string>> = {
  "karpenter.sh/do-not-disrupt": "true",
  "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
};

/** What Kubernetes sets where a pod sets nothing, and Spark does not set anything. */
const USUAL_GRACE_SECONDS = 30;

/** The rule for an application's pods; `undefined` if no autoscaler is known that could take their nodes away. */
export function protectionOf(
  uid: string,
  { applications, capacity, queues }: PolicySnapshot,
): QueueProtection | undefined {
  const isAutoscaled = capacity.kind === "nodes" && (capacity.classes ?? []).length > 0;
  return isAutoscaled ? protectionIn(queues, applications.find(({ id }) => id === uid)?.queue ?? "") : undefined;
}

/** The annotations that protect a driver. The pod's own values are not changed. */
export function driverProtection(driver: KubeObject, rule: QueueProtection): Readonly<Record<string, string>> {
  return rule === "none" ? {} : missingOn(driver);
}

/**
 * The executor as it is created where an autoscaler takes nodes away: with the annotations that protect it, if the rule says
 * so; and with time to move its blocks when it is evicted, if it can do that. The pod's own values are not changed.
 *
 * @param graceSeconds how long it may take to leave
 */
export function protectedExecutor(executor: KubeObject, rule: QueueProtection, graceSeconds: number): KubeObject {
  // Without Spark's preStop hook an executor does not learn that it has to go, and moves no block.
  const isMovable = isToldBeforeItsEnd(executor);
  const timed = isMovable ? withGrace(executor, graceSeconds) : executor;
  const isProtected = rule === "all" || (rule === "unmovable" && !isMovable);
  if (!isProtected) return timed;
  const annotations = { ...timed.metadata.annotations, ...missingOn(timed) };
  return { ...timed, metadata: { ...timed.metadata, annotations } };
}

/** An eviction takes the grace period of the pod (Kubernetes, "API-initiated Eviction"). */
function withGrace(executor: KubeObject, graceSeconds: number): KubeObject {
  const spec = objectAt(executor, "spec");
  if ((spec["terminationGracePeriodSeconds"] ?? USUAL_GRACE_SECONDS) !== USUAL_GRACE_SECONDS) return executor;
  return { ...executor, spec: { ...spec, terminationGracePeriodSeconds: Math.round(graceSeconds) } };
}

function missingOn({ metadata: { annotations = {} } }: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(PROTECTING).filter(([name]) => annotations[name] === undefined));
}
