import {
  type ConfigMap,
  type ExecutorRequest,
  type KubernetesExecutorSpec,
  type KubernetesResource,
  type Pod,
} from "@kindling/core-spec";
import { SPARK_APP_ID_LABEL, SPARK_ROLE_EXECUTOR, SPARK_ROLE_LABEL, formatProperties } from "@kindling/core-spec";
import { NAMESPACE } from "../keys/pod-keys.ts";
import { withSpec } from "../spark-pod.ts";
import { PROPERTIES_FILE } from "./driver-objects.ts";

export interface ExecutorObjects {
  readonly pod: Pod;
  /** Spark creates only the PersistentVolumeClaims of these. */
  readonly resources: readonly KubernetesResource[];
}

/** Puts together an executor's pod: the container is added after those of a template. */
export function executorObjects(spec: KubernetesExecutorSpec, { conf }: ExecutorRequest): ExecutorObjects {
  const namespace = conf.get(NAMESPACE);
  const pod = withSpec(spec.executorPod, {
    containers: [...(spec.executorPod.spec?.containers ?? []), spec.executorContainer],
  });
  return {
    pod: { ...pod, metadata: { ...pod.metadata, namespace } },
    resources: spec.executorKubernetesResources,
  };
}

/** The ConfigMap of configuration files that a driver makes for its executors, once. */
export function executorConfigMap(
  { conf, appId, driverPod, confFiles }: ExecutorRequest,
  files: Readonly<Record<string, string>>,
): ConfigMap {
  const namespace = conf.get(NAMESPACE);
  const comment = `Java properties built from Kubernetes config map with name: ${confFiles.configMapName}`;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: confFiles.configMapName,
      namespace,
      labels: { [SPARK_APP_ID_LABEL]: appId, [SPARK_ROLE_LABEL]: SPARK_ROLE_EXECUTOR },
      ...(driverPod && {
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: driverPod.name, uid: driverPod.uid, controller: true },
        ],
      }),
    },
    immutable: true,
    data: {
      ...files,
      [PROPERTIES_FILE]: formatProperties({ [NAMESPACE.key]: namespace }, comment),
      [NAMESPACE.key]: namespace,
    },
  };
}
