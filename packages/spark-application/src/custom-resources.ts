/** The API version of applications and schedules (kubeflow/spark-operator v2.5.2, api/v1beta2). */
export const API_VERSION = "sparkoperator.k8s.io/v1beta2";

/** The API version of Connect servers (kubeflow/spark-operator v2.5.2, api/v1alpha1). */
export const CONNECT_API_VERSION = "sparkoperator.k8s.io/v1alpha1";

/** The group, version and names of a kind at the API server. */
interface CustomResource<K extends string, V extends string = "v1beta2"> {
  readonly group: "sparkoperator.k8s.io";
  readonly version: V;
  readonly plural: string;
  readonly kind: K;
  readonly namespaced: true;
}

const OF_THE_OPERATOR = { group: "sparkoperator.k8s.io", version: "v1beta2", namespaced: true } as const;

/** The kinds that operators serve. */
export const customResources: {
  readonly sparkApplications: CustomResource<"SparkApplication">;
  readonly scheduledSparkApplications: CustomResource<"ScheduledSparkApplication">;
  readonly sparkConnects: CustomResource<"SparkConnect", "v1alpha1">;
} = {
  sparkApplications: { ...OF_THE_OPERATOR, plural: "sparkapplications", kind: "SparkApplication" },
  scheduledSparkApplications: {
    ...OF_THE_OPERATOR,
    plural: "scheduledsparkapplications",
    kind: "ScheduledSparkApplication",
  },
  sparkConnects: { ...OF_THE_OPERATOR, version: "v1alpha1", plural: "sparkconnects", kind: "SparkConnect" },
};
