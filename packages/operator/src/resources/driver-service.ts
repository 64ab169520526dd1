import { type Service, SPARK_ROLE_LABEL } from "@kindling/core-spec";
import { OPERATOR_LABELS, type SparkApplication, type SparkUIConfiguration } from "@kindling/spark-application";
import { firstOf } from "./first-of.ts";
import { CREATED, ownerReference, runLabels } from "./owned-object.ts";

export interface DriverServiceParts {
  readonly name: string;
  readonly portName: string;
  readonly port: number;
  readonly targetPort: number;
  readonly options: SparkUIConfiguration | undefined;
}

/**
 * A service for one port of the driver (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/driveringress.go, `createDriverIngressService`). Labels of the user replace the
 * operator's own, except the label that says who made the service (stock from 38082f33 on).
 */
export function driverService(
  application: SparkApplication,
  submissionId: string,
  { name, portName, port, targetPort, options = {} }: DriverServiceParts,
): Service {
  const { serviceAnnotations, serviceLabels, serviceType = "ClusterIP" } = options;
  const annotations = firstOf(serviceAnnotations);
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      namespace: application.metadata.namespace,
      labels: { ...firstOf(serviceLabels, runLabels(application, submissionId)), ...CREATED },
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      ownerReferences: [ownerReference(application)],
    },
    spec: {
      type: serviceType,
      selector: { [OPERATOR_LABELS.appName]: application.metadata.name, [SPARK_ROLE_LABEL]: "driver" },
      ports: [{ name: portName, port, targetPort, protocol: "TCP" }],
    },
  };
}
