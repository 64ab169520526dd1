import type { KubeObject, ResourceType } from "@kindling/kube";

const OF_THE_OPERATOR = { group: "sparkoperator.k8s.io", version: "v1beta2", namespaced: true } as const;

/** The two kinds that the operator serves. */
export const customResources: {
  readonly sparkApplications: ResourceType;
  readonly scheduledSparkApplications: ResourceType;
} = {
  sparkApplications: { ...OF_THE_OPERATOR, plural: "sparkapplications", kind: "SparkApplication" },
  scheduledSparkApplications: {
    ...OF_THE_OPERATOR,
    plural: "scheduledsparkapplications",
    kind: "ScheduledSparkApplication",
  },
};

/** An object with its status, as it is written. */
export interface WithStatus extends KubeObject {
  readonly status: unknown;
}
