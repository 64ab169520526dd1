import type { Container, KubernetesResource, Pod } from "./kubernetes.ts";

/**
 * What a submission will create, while steps build it up. Counterpart of `KubernetesDriverSpec`
 * (Spark 4.1.1, deploy/k8s/KubernetesDriverSpec.scala), with the container that runs Spark kept apart from the pod as
 * in Spark's `SparkPod`: it joins the pod, behind the containers of a template, when all steps are done.
 */
export interface KubernetesDriverSpec {
  readonly driverPod: Pod;
  readonly driverContainer: Container;
  /** Created after the pod and owned by it, in this order. */
  readonly otherKubernetesResources: readonly KubernetesResource[];
  /** Created before the pod, then bound to it by ownerReference. */
  readonly preKubernetesResources: readonly KubernetesResource[];
  /** The configuration that the driver will start with: raw, unexpanded values, as in `spark.properties`. */
  readonly driverSparkConf: Readonly<Record<string, string>>;
}

/** An empty spec: where steps start when there is no pod template. */
export function emptyDriverSpec(driverSparkConf: Readonly<Record<string, string>>): KubernetesDriverSpec {
  return {
    driverPod: { apiVersion: "v1", kind: "Pod", metadata: {}, spec: {} },
    // The name is the first thing that the basic step settles; an empty one means "not named by a template".
    driverContainer: { name: "" },
    otherKubernetesResources: [],
    preKubernetesResources: [],
    driverSparkConf,
  };
}
