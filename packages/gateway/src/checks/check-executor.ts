import type { KubeObject, ResourceName } from "@kindling/kube-objects";
import { type ApiError, forbidden } from "@kindling/api-server";
import {
  SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION,
  SPARK_APP_ID_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { driverAlone, gatesProblem, metadataProblem } from "./metadata.ts";
import { objectAt } from "../json/fields.ts";
import { imagesBeyond } from "./image-list.ts";
import { excessOf } from "./pod-policy.ts";

/** The application that asks, as far as a check needs it. */
export interface Asking {
  readonly id: string;
  readonly driver: KubeObject;
  /** How many executors the application has already. */
  readonly executors: number;
}

/** Limits for the executors of every application. */
export interface ExecutorLimits {
  /** How many an application may have. */
  readonly most: number;
  /** The images that executors may have besides those of their driver; empty for all. */
  readonly images: readonly string[];
}

/** How many of the things that an executor may not have a message names at most. */
const MOST_SHOWN = 8;

const PODS = { group: "", resource: "pods" };

/** Why a driver may never have such an executor. An executor that only lacks room is not refused. */
export function refusedExecutor(
  pod: KubeObject,
  asking: Omit<Asking, "executors">,
  limits: Pick<ExecutorLimits, "images">,
): ApiError | undefined {
  return refusedPod(pod, asking, limits, PODS);
}

/** Why a driver may have no further executor now. */
export function refusedFurther(pod: KubeObject, { executors }: Asking, { most }: ExecutorLimits): ApiError | undefined {
  if (executors < most) return undefined;
  return forbidden(PODS, pod.metadata.name, `at most ${most} executor pods are allowed for one application`);
}

/** Why a driver may not have such a pod, however few it has; `asked` is the object that it asked for. */
export function refusedPod(
  pod: KubeObject,
  asking: Omit<Asking, "executors">,
  { images }: Pick<ExecutorLimits, "images">,
  asked: ResourceName,
): ApiError | undefined {
  const { name, labels = {} } = pod.metadata;
  const refuse = (why: string): ApiError => forbidden(asked, name, why);
  if (labels[SPARK_APP_ID_LABEL] !== asking.id) {
    return refuse(`its label ${SPARK_APP_ID_LABEL} must be that of the driver's own application, ${asking.id}`);
  }
  if (labels[SPARK_ROLE_LABEL] !== SPARK_ROLE_EXECUTOR) {
    return refuse(`its label ${SPARK_ROLE_LABEL} must be ${SPARK_ROLE_EXECUTOR}: a driver makes nothing but executors`);
  }
  if ((labels[SPARK_EXECUTOR_ID_LABEL] ?? "") === "") return refuse(`it has no label ${SPARK_EXECUTOR_ID_LABEL}`);
  const problem =
    metadataProblem({ ...pod.metadata }, "metadata", driverAlone(asking.driver.metadata)) ??
    gatesProblem(objectAt(pod, "spec"), "spec");
  if (problem !== undefined) return refuse(problem);
  const unlisted = imagesBeyond(images, pod, asking.driver);
  if (unlisted.length > 0) {
    return refuse(`its image ${unlisted.join(", ")} is not among those that the gateway allows (executors.images)`);
  }
  const excess = excessOf(pod, asking.driver);
  if (excess.length === 0) return undefined;
  const shown = excess.slice(0, MOST_SHOWN).join(", ");
  const more = excess.length > MOST_SHOWN ? ` and ${excess.length - MOST_SHOWN} more` : "";
  return refuse(
    `it has ${shown}${more}, and the driver's pod has not: give that to the driver's pod as well, or allow it to executors with the annotation ${SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION} of the driver's pod`,
  );
}
