/** The labels that stock's operator puts on the objects that it makes (kubeflow/spark-operator v2.5.2, pkg/common/spark.go). */
export const OPERATOR_LABELS = {
  appName: "sparkoperator.k8s.io/app-name",
  launchedBy: "sparkoperator.k8s.io/launched-by-spark-operator",
  createdBy: "sparkoperator.k8s.io/created-by-spark-operator",
  mutatedBy: "sparkoperator.k8s.io/mutated-by-spark-operator",
  submissionId: "sparkoperator.k8s.io/submission-id",
  connectName: "sparkoperator.k8s.io/connect-name",
  scheduledAppName: "sparkoperator.k8s.io/scheduled-app-name",
} as const;
