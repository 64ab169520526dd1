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
 * The phase of a driver's application: Spark's container decides. Sidecars that run on keep the pod, and its room on the node,
 * but not the application. It goes by the pod's spec, of which nobody changes this, and by what the kubelet reports: no label
 * or annotation has a say.
 */
export function driverPhase(driver: KubeObject): string {
  return applicationPhase(phasedPod(driver));
}

/** Whether the application of a driver has come to its end. */
export function isOver(driver: KubeObject): boolean {
  return isFinished(phasedPod(driver));
}

/** The container that runs Spark, if one says so: else the pod's end is the application's. */
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

/** Since Kubernetes 1.34 containers may have a policy or rules of their own: who has rules is not taken to have ended for good. */
function restartPolicyOf(container: JsonObject | undefined, pod: KubeObject): string | undefined {
  if (objectsAt(container, "restartPolicyRules").length > 0) return "Always";
  return textAt(container, "restartPolicy") ?? textAt(pod, "spec", "restartPolicy");
}

function phasedContainer(status: JsonObject): PhasedContainer {
  const name = textAt(status, "name") ?? "";
  const { exitCode } = objectAt(status, "state", "terminated");
  return typeof exitCode === "number" ? { name, state: "terminated", exitCode } : { name, state: "unknown" };
}
