import type { Condition, KubeObject, ObjectMeta } from "@kindling/kube-objects";
import type { LabelSelectorSpec } from "@kindling/api-server";
import type { PersistentVolumeClaim } from "./core.ts";
import type { PodSpec } from "./pod.ts";

export type PodTemplate = { metadata: Partial<ObjectMeta>; spec: PodSpec };

export type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

/** The common parts of deployments, replica sets and stateful sets. */
export interface Workload extends KubeObject {
  spec: {
    replicas?: number;
    selector?: Selector | null;
    template: PodTemplate;
  };
  status: WorkloadStatus;
}

export type WorkloadStatus = {
  observedGeneration?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  updatedReplicas?: number;
  fullyLabeledReplicas?: number;
  currentReplicas?: number;
  unavailableReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: Condition[];
};

export interface Deployment extends Workload {
  spec: Workload["spec"] & {
    strategy: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    paused?: boolean;
  };
}

export interface StatefulSet extends Workload {
  spec: Workload["spec"] & {
    serviceName?: string;
    podManagementPolicy?: string;
    updateStrategy: { type?: string; rollingUpdate?: { partition?: number } };
    revisionHistoryLimit?: number;
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
    volumeClaimTemplates?: PersistentVolumeClaim[];
  };
}

/** The selector of a workload in the form of the selectors' own module. */
export function selectorOf({ spec }: Workload): LabelSelectorSpec {
  return spec.selector ?? {};
}
