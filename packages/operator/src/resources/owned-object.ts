import type { ConfigMap, OwnerReference, Service } from "@kindling/core-spec";
import type { PodGroup } from "@kindling/kube";
import type { Ingress } from "kubernetes-types/networking/v1.js";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";
import { API_VERSION, OPERATOR_LABELS, type SparkApplication } from "@kindling/spark-application";
import type { SchedulerPluginsPodGroup } from "./resource-types.ts";

/** An object that there has to be for an application, as it has to be. */
export interface OwnedObject {
  /** Whether the driver pod needs it, or it is there as long as the application is SUBMITTED or RUNNING. */
  readonly when: "before-driver" | "beside-driver";
  /** What becomes of it when the application is COMPLETED or FAILED. What is kept goes with the application. */
  readonly atEnd: "kept" | "deleted";
  /** How stock begins what it says if the object cannot be made; a colon and the reason follow. */
  readonly failure: string;
  readonly object: ConfigMap | Service | Ingress | PodDisruptionBudget | PodGroup | SchedulerPluginsPodGroup;
}

/** The reference to the application that lets its objects go when it goes. */
export function ownerReference({ metadata: { name, uid } }: SparkApplication): OwnerReference {
  return { apiVersion: API_VERSION, kind: "SparkApplication", name, uid, controller: true, blockOwnerDeletion: true };
}

/** That the operator made an object: what it watches is chosen by this. */
export const CREATED: Readonly<Record<string, string>> = { [OPERATOR_LABELS.createdBy]: "true" };

/** The labels of services and ingresses (stock's `GetResourceLabels`). */
export function runLabels({ metadata: { name } }: SparkApplication, submissionId: string): Record<string, string> {
  return { [OPERATOR_LABELS.appName]: name, [OPERATOR_LABELS.submissionId]: submissionId };
}
