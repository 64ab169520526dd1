import type { Condition, KubeObject } from "@kindling/kube-objects";
import type { PodTemplate, Selector } from "./apps.ts";

/** Jobs, with the fields that this package reads (`batch/v1`). */
export interface Job extends KubeObject {
  kind: "Job";
  spec: {
    parallelism?: number;
    completions?: number;
    activeDeadlineSeconds?: number;
    backoffLimit?: number;
    ttlSecondsAfterFinished?: number;
    suspend?: boolean;
    manualSelector?: boolean;
    selector?: Selector | null;
    template: PodTemplate;
  };
  status: JobStatus;
}

export type JobStatus = {
  conditions?: Condition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  ready?: number;
  terminating?: number;
};

/** The labels with which a Job's pods are found. */
export const JOB_NAME = "batch.kubernetes.io/job-name";
export const JOB_UID = "batch.kubernetes.io/controller-uid";
