import { SPARK_ROLE_LABEL } from "@kindling/core-spec";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.js";
import { driverPodName, OPERATOR_LABELS, type SparkApplication } from "@kindling/spark-application";
import { ownerReference } from "./owned-object.ts";

/**
 * Keeps the driver pod from being evicted, as when its node is drained (kubeflow/spark-operator 38082f33,
 * internal/controller/sparkapplication/driver_pdb.go).
 */
export function driverPdb(application: SparkApplication): PodDisruptionBudget {
  const { name, namespace } = application.metadata;
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: {
      name: driverPodName(application),
      namespace,
      labels: { [OPERATOR_LABELS.launchedBy]: "true", [OPERATOR_LABELS.appName]: name },
      ownerReferences: [ownerReference(application)],
    },
    spec: {
      minAvailable: 1,
      selector: { matchLabels: { [OPERATOR_LABELS.appName]: name, [SPARK_ROLE_LABEL]: "driver" } },
    },
  };
}
