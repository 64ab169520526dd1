import type { ConfigMap, OwnerReference, Service } from "@kindling/core-spec";
import type { PodGroup } from "@kindling/kube";
import type { Ingress } from "kubernetes-types/networking/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";
import { API_VERSION, OPERATOR_LABELS, type SparkApplication } from "@kindling/spark-application";
import type { SchedulerPluginsPodGroup } from "./resource-types.ts";

/** An object that has to exist for an application, with the content that it has to have. */
export interface OwnedObject {
  /** Whether it is made before the driver pod, which needs it, or exists while the application is SUBMITTED or RUNNING. */
  readonly when: "before-driver" | "beside-driver";
  /** What happens to it when the application is COMPLETED or FAILED. A kept object is deleted with the application. */
  readonly atEnd: "kept" | "deleted";
  /** The beginning of stock's message if the object cannot be made; a colon and the reason follow. */
  readonly failure: string;
  readonly object: ConfigMap | Service | Ingress | PodDisruptionBudget | PodGroup | SchedulerPluginsPodGroup;
}

/** The owner reference by which Kubernetes deletes an object together with its application. */
export function ownerReference({ metadata: { name, uid } }: SparkApplication): OwnerReference {
  return { apiVersion: API_VERSION, kind: "SparkApplication", name, uid, controller: true, blockOwnerDeletion: true };
}

/** The label that says that the operator made an object: its watches select by this. */
export const CREATED: Readonly<Record<string, string>> = { [OPERATOR_LABELS.createdBy]: "true" };

/** The labels of services and ingresses (stock's `GetResourceLabels`). */
export function runLabels({ metadata: { name } }: SparkApplication, submissionId: string): Record<string, string> {
  return { [OPERATOR_LABELS.appName]: name, [OPERATOR_LABELS.submissionId]: submissionId };
}
