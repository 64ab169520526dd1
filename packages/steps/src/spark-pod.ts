import type {
  Container,
  EnvVar,
  KubernetesDriverSpec,
  KubernetesExecutorSpec,
  KubernetesResource,
  Pod,
  PodSpec,
  Volume,
  VolumeMount,
} from "@kindling/core-spec";

/**
 * A pod and, apart from it, the container that runs Spark: most steps add to these, for drivers and executors alike.
 * Counterpart of Spark's `SparkPod`.
 */
export interface SparkPod {
  readonly pod: Pod;
  readonly container: Container;
}

/** Things that steps often add; lists are added after the present items. */
export interface PodAdditions {
  readonly volumes?: readonly Volume[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly env?: readonly EnvVar[];
}

/** Appends volumes, mounts and environment variables; without any, the pod is returned unchanged. */
export function add(
  { pod, container }: SparkPod,
  { volumes = [], volumeMounts = [], env = [] }: PodAdditions,
): SparkPod {
  return {
    pod: volumes.length === 0 ? pod : withSpec(pod, { volumes: [...(pod.spec?.volumes ?? []), ...volumes] }),
    container:
      volumeMounts.length === 0 && env.length === 0
        ? container
        : {
            ...container,
            ...(env.length > 0 && { env: [...(container.env ?? []), ...env] }),
            ...(volumeMounts.length > 0 && { volumeMounts: [...(container.volumeMounts ?? []), ...volumeMounts] }),
          },
  };
}

/** Sets fields of a pod's spec. */
export function withSpec(pod: Pod, fields: Partial<PodSpec>): Pod {
  return { ...pod, spec: { ...pod.spec, ...fields } };
}

/** Applies a change to the pod and container of a driver. */
export function onDriver(spec: KubernetesDriverSpec, change: (sparkPod: SparkPod) => SparkPod): KubernetesDriverSpec {
  const before = { pod: spec.driverPod, container: spec.driverContainer };
  const after = change(before);
  return after.pod === before.pod && after.container === before.container
    ? spec
    : { ...spec, driverPod: after.pod, driverContainer: after.container };
}

/** Applies a change to the pod and container of an executor. */
export function onExecutor(
  spec: KubernetesExecutorSpec,
  change: (sparkPod: SparkPod) => SparkPod,
): KubernetesExecutorSpec {
  const before = { pod: spec.executorPod, container: spec.executorContainer };
  const after = change(before);
  return after.pod === before.pod && after.container === before.container
    ? spec
    : { ...spec, executorPod: after.pod, executorContainer: after.container };
}

/** Adds entries to the configuration that the driver will start with. */
export function withSparkConf(
  spec: KubernetesDriverSpec,
  entries: Readonly<Record<string, string>>,
): KubernetesDriverSpec {
  return { ...spec, driverSparkConf: { ...spec.driverSparkConf, ...entries } };
}

/** Adds objects that are created after the driver pod and owned by it. */
export function withResources(
  spec: KubernetesDriverSpec,
  ...resources: readonly KubernetesResource[]
): KubernetesDriverSpec {
  return resources.length === 0
    ? spec
    : { ...spec, otherKubernetesResources: [...spec.otherKubernetesResources, ...resources] };
}
