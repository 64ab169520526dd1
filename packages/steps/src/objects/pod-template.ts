import {
  confType,
  emptyDriverSpec,
  emptyExecutorSpec,
  KindlingError,
  optionalConfKey,
  type Container,
  type ConfKey,
  type KubernetesDriverSpec,
  type KubernetesExecutorSpec,
  type Pod,
} from "@kindling/core-spec";
import type { SparkPod } from "../spark-pod.ts";
import { TEMPLATE_PATH } from "./template-path.ts";

export const DRIVER_POD_TEMPLATE_FILE: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.podTemplateFile",
  type: TEMPLATE_PATH,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "A file with a pod template for the driver pod, as YAML or JSON. If a key of Spark's sets the same field, the key wins.",
});

export const DRIVER_POD_TEMPLATE_CONTAINER: ConfKey<string | undefined> = optionalConfKey({
  key: "spark.kubernetes.driver.podTemplateContainerName",
  type: confType.text,
  since: "3.0.0",
  readBy: ["submit"],
  doc: "The container of this template that becomes the driver container; the first one if unset.",
});

/** The content of a pod template's file, and its name in errors. */
export interface PodTemplate {
  readonly content: unknown;
  /** Such as `spark.kubernetes.driver.podTemplateFile: /etc/spark/driver.yaml`. */
  readonly origin: string;
  /** The container that will run Spark; the first one if this is unset or does not exist. */
  readonly containerName: string | undefined;
}

/** The spec that a driver's steps start from. */
export function initialDriverSpec(
  driverSparkConf: Readonly<Record<string, string>>,
  template: PodTemplate | undefined,
  notice: (message: string) => void,
): KubernetesDriverSpec {
  const empty = emptyDriverSpec(driverSparkConf);
  if (template === undefined) return empty;
  const { pod, container } = sparkPodOf(template, notice);
  return { ...empty, driverPod: pod, driverContainer: container };
}

/** The spec that an executor's steps start from. */
export function initialExecutorSpec(
  template: PodTemplate | undefined,
  notice: (message: string) => void,
): KubernetesExecutorSpec {
  const empty = emptyExecutorSpec();
  if (template === undefined) return empty;
  const { pod, container } = sparkPodOf(template, notice);
  return { ...empty, executorPod: pod, executorContainer: container };
}

/**
 * Takes the container that runs Spark out of a template (KubernetesUtils.selectSparkContainer): the one with the wanted
 * name if there is exactly one, else the first, else an empty one.
 */
function sparkPodOf(template: PodTemplate, notice: (message: string) => void): SparkPod {
  const pod = podOf(template);
  const containers = pod.spec?.containers ?? [];
  const named = containers.filter((container) => container.name === template.containerName);
  if (template.containerName !== undefined && named.length !== 1) {
    notice(`${template.origin}: no container is called ${template.containerName}; the first one is taken`);
  }
  const chosen = (template.containerName !== undefined && named.length === 1 ? named[0] : containers[0]) ?? {
    name: "",
  };
  const rest = containers.filter((container) => container !== chosen);
  return { pod: { ...pod, spec: { ...pod.spec, containers: rest } }, container: chosen };
}

function podOf({ content, origin }: PodTemplate): Pod {
  if (!isRecord(content)) throw invalid(origin, "the file holds no object");
  if (content["kind"] !== undefined && content["kind"] !== "Pod") {
    throw invalid(origin, `kind is ${JSON.stringify(content["kind"])}, not Pod`);
  }
  // Only the API server writes a status.
  const { metadata, spec, status: _, ...rest } = content;
  if (metadata !== undefined && metadata !== null && !isRecord(metadata))
    throw invalid(origin, "metadata is no object");
  if (!isRecord(spec)) throw invalid(origin, "there is no spec");
  const containers = spec["containers"] ?? [];
  if (!Array.isArray(containers) || !containers.every(isContainer)) {
    throw invalid(origin, "spec.containers is no list of containers");
  }
  // Everything else in a template is passed on unchecked: the API server checks it.
  return { ...rest, apiVersion: "v1", kind: "Pod", metadata: { ...metadata }, spec: { ...spec, containers } };
}

function isContainer(value: unknown): value is Container {
  return isRecord(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(origin: string, problem: string): KindlingError {
  return new KindlingError("TEMPLATE_INVALID", `${origin}: could not load pod from template file: ${problem}`);
}
