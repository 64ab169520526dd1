import type { Container, KubernetesResource, Pod } from "./kubernetes.ts";

/**
 * An executor pod while steps build it up. Counterpart of `KubernetesExecutorSpec`
 * (Spark 4.1.1, deploy/k8s/KubernetesExecutorSpec.scala).
 */
export interface KubernetesExecutorSpec {
  readonly executorPod: Pod;
  readonly executorContainer: Container;
  /** Objects that the executor needs. Spark creates only the PersistentVolumeClaims among them. */
  readonly executorKubernetesResources: readonly KubernetesResource[];
}

/** An empty spec: the start for the steps if there is no pod template. */
export function emptyExecutorSpec(): KubernetesExecutorSpec {
  return {
    executorPod: { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} },
    executorContainer: { name: "" },
    executorKubernetesResources: [],
  };
}
