import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import {
  applicationPhase,
  isFinished,
  type PhasedContainer,
  type PhasedPod,
  sparkContainerOf,
} from "@kindling/core-spec";
import { objectAt, objectsAt, textAt } from "../json/fields.ts";

/**
 * The phase of a driver's application: Spark's container decides. A sidecar that keeps running keeps the pod and its room on
 * the node, but the application is over. This uses only the part of the pod's spec that nobody can change and the kubelet's
 * reports, and no labels or annotations.
 */
export function driverPhase(driver: KubeObject): string {
  return applicationPhase(phasedPod(driver));
}

/** Whether the application of a driver has ended. */
export function isOver(driver: KubeObject): boolean {
  return isFinished(phasedPod(driver));
}

/** The container that runs Spark, if it can be recognised; undefined if not: then the application ends with the pod. */
export function sparkContainer(pod: KubeObject): JsonObject | undefined {
  return sparkContainerOf(objectsAt(pod, "spec", "containers"));
}

function phasedPod(driver: KubeObject): PhasedPod {
  const spark = sparkContainer(driver);
  return {
    phase: textAt(driver, "status", "phase") ?? "",
    restartPolicy: restartPolicyOf(spark, driver),
    sparkContainer: textAt(spark, "name"),
    containers: objectsAt(driver, "status", "containerStatuses").map(phasedContainer),
  };
}

/**
 * Since Kubernetes 1.34 containers may have their own restart policy or rules. A container with rules is not regarded as
 * ended for good.
 */
function restartPolicyOf(container: JsonObject | undefined, pod: KubeObject): string | undefined {
  if (objectsAt(container, "restartPolicyRules").length > 0) return "Always";
  return textAt(container, "restartPolicy") ?? textAt(pod, "spec", "restartPolicy");
}

function phasedContainer(status: JsonObject): PhasedContainer {
  const name = textAt(status, "name") ?? "";
  const { exitCode } = objectAt(status, "state", "terminated");
  return typeof exitCode === "number" ? { name, state: "terminated", exitCode } : { name, state: "unknown" };
}
