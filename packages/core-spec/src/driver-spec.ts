import type { Container, KubernetesResource, Pod } from "./kubernetes.ts";

/**
 * What a submission will create, while steps build it up. Counterpart of `KubernetesDriverSpec` (Spark 4.1.1,
 * deploy/k8s/KubernetesDriverSpec.scala). As in Spark's `SparkPod`, the container that runs Spark is kept apart from the pod.
 * It is added to the pod, after the containers of a template, when all steps are done.
 */
export interface KubernetesDriverSpec {
  readonly driverPod: Pod;
  readonly driverContainer: Container;
  /** Created after the pod and owned by it, in this order. */
  readonly otherKubernetesResources: readonly KubernetesResource[];
  /** Created before the pod; the ownerReference to the pod is added later. */
  readonly preKubernetesResources: readonly KubernetesResource[];
  /** The configuration that the driver will start with: raw, unexpanded values, as in `spark.properties`. */
  readonly driverSparkConf: Readonly<Record<string, string>>;
}

/** An empty spec: the start for the steps if there is no pod template. */
export function emptyDriverSpec(driverSparkConf: Readonly<Record<string, string>>): KubernetesDriverSpec {
  return {
    driverPod: { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} },
    // The basic step sets the name first; an empty name means "not named by a template".
    driverContainer: { name: "" },
    otherKubernetesResources: [],
    preKubernetesResources: [],
    driverSparkConf,
  };
}
