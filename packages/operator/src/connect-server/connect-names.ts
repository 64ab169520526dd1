import type { OwnerReference } from "@kindling/core-spec";
import { CONNECT_API_VERSION, OPERATOR_LABELS, type SparkConnect } from "@kindling/spark-application";
import { CONNECT_ROLE } from "../pods/spark-names.ts";

// Names and labels of kubeflow/spark-operator 38082f33, internal/controller/sparkconnect/util.go.

export function serverPodName({ metadata: { name } }: Pick<SparkConnect, "metadata">): string {
  return `${name}-server`;
}

export function templateMapName({ metadata: { name } }: Pick<SparkConnect, "metadata">): string {
  return `${name}-conf`;
}

/** A service that is given without a name has the usual one. With stock's operator there is none, and no server. */
export function serverServiceName({ metadata, spec }: SparkConnect): string {
  const given = spec.server.service?.metadata?.name;
  return given === undefined || given === "" ? `${metadata.name}-server` : given;
}

/** The labels of the ConfigMap and the service. */
export function commonLabels({ metadata }: SparkConnect): Record<string, string> {
  return { [OPERATOR_LABELS.createdBy]: "true", [OPERATOR_LABELS.connectName]: metadata.name };
}

/** The labels of the server's pod, by which its service finds it. */
export function serverLabels({ metadata, spec }: SparkConnect): Record<string, string> {
  return {
    [OPERATOR_LABELS.launchedBy]: "true",
    [OPERATOR_LABELS.connectName]: metadata.name,
    "spark-role": CONNECT_ROLE,
    "spark-version": spec.sparkVersion,
  };
}

/** The owner reference by which Kubernetes deletes an object together with its SparkConnect. */
export function connectOwner({ metadata: { name, uid } }: SparkConnect): OwnerReference {
  return {
    apiVersion: CONNECT_API_VERSION,
    kind: "SparkConnect",
    ...{ name, uid, controller: true, blockOwnerDeletion: true },
  };
}
