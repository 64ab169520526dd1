import {
  configMapName,
  EVENT_LOG_CONTAINER,
  formatProperties,
  type ConfigMap,
  type Container,
  type KubernetesDriverSpec,
  type KubernetesResource,
  type Pod,
  type Submission,
} from "@kindling/core-spec";
import { NAMESPACE } from "../keys/pod-keys.ts";
import { withSpec } from "../spark-pod.ts";
import { confDirFiles } from "./conf-dir-files.ts";

/** The volume of the driver's configuration. */
export const DRIVER_CONF_VOLUME = "spark-conf-volume-driver";
/** The file with the entries of that configuration. */
export const PROPERTIES_FILE = "spark.properties";

/** The objects of one submission, complete except for the ownerReferences, which need the created pod's uid. */
export interface DriverObjects {
  readonly preResources: readonly KubernetesResource[];
  readonly pod: Pod;
  /** The objects that are created after the pod, in order; the driver's ConfigMap is last. */
  readonly resources: readonly KubernetesResource[];
  /** The container of the pod that runs Spark. */
  readonly driverContainer: string;
  /** The configuration that the driver will start with. */
  readonly driverSparkConf: Readonly<Record<string, string>>;
}

/**
 * Puts together what the steps built (KubernetesClientApplication, `Client.run`): the container is added to the pod after
 * those of a template, and the configuration becomes the ConfigMap that the step `configuration` has mounted.
 *
 * @param sparkContainer the position of the container that runs Spark: after those of a template, as in Spark, or before
 *   them, for tools that look at a pod's first container
 */
export function driverObjects(
  spec: KubernetesDriverSpec,
  submission: Submission,
  sparkContainer: "first" | "last" = "last",
): DriverObjects {
  const { namespace } = submission;
  const name = driverConfigMapName(submission);
  const comment = `Java properties built from Kubernetes config map with name: ${name}`;
  const files = { ...confDirFiles(submission), [PROPERTIES_FILE]: formatProperties(spec.driverSparkConf, comment) };
  const configMap: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name },
    immutable: true,
    // The namespace's key is in the map because Spark passes it to the function that makes the map; no volume uses it.
    data: { ...files, [NAMESPACE.key]: namespace },
  };
  const { driverPod, driverContainer } = spec;
  const all = driverPod.spec?.containers ?? [];
  const others = all.filter((container) => !isAfterSpark(container));
  const sparks = sparkContainer === "first" ? [driverContainer, ...others] : [...others, driverContainer];
  const containers = [...sparks, ...all.filter(isAfterSpark)];
  const complete = withSpec(driverPod, { containers });
  return {
    preResources: spec.preKubernetesResources.map((resource) => inNamespace(resource, namespace)),
    // The namespace of the submission wins over a template's.
    pod: { ...complete, metadata: { ...complete.metadata, namespace } },
    resources: [...spec.otherKubernetesResources, configMap].map((resource) => inNamespace(resource, namespace)),
    driverContainer: driverContainer.name,
    driverSparkConf: spec.driverSparkConf,
  };
}

/**
 * Kubelets start containers one after the other, in their order, and `kubectl logs` shows the first one: a container that the
 * driver does not need comes after it.
 */
function isAfterSpark({ name }: Container): boolean {
  return name === EVENT_LOG_CONTAINER;
}

/** The name of the ConfigMap that holds the driver's configuration. */
export function driverConfigMapName({ ids }: Submission): string {
  return configMapName(`spark-drv-${ids.uniqueId("driver-config-map")}`);
}

function inNamespace(resource: KubernetesResource, namespace: string): KubernetesResource {
  return { ...resource, metadata: { ...resource.metadata, namespace: resource.metadata.namespace ?? namespace } };
}
