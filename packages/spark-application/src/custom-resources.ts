/** The API version of both kinds (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export const API_VERSION = "sparkoperator.k8s.io/v1beta2";

/** The group, version and names of a kind at the API server. */
interface CustomResource<K extends string> {
  readonly group: "sparkoperator.k8s.io";
  readonly version: "v1beta2";
  readonly plural: string;
  readonly kind: K;
  readonly namespaced: true;
}

const OF_THE_OPERATOR = { group: "sparkoperator.k8s.io", version: "v1beta2", namespaced: true } as const;

/** The two kinds that operators serve. */
export const customResources: {
  readonly sparkApplications: CustomResource<"SparkApplication">;
  readonly scheduledSparkApplications: CustomResource<"ScheduledSparkApplication">;
} = {
  sparkApplications: { ...OF_THE_OPERATOR, plural: "sparkapplications", kind: "SparkApplication" },
  scheduledSparkApplications: {
    ...OF_THE_OPERATOR,
    plural: "scheduledsparkapplications",
    kind: "ScheduledSparkApplication",
  },
};
