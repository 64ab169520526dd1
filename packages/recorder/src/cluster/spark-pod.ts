import { podShape } from "@kindling/admission";
import {
  SCHEDULER_QUEUE_LABEL,
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { applicationPhase, type ContainerState, podState, type PodState } from "@kindling/diagnosis";
import { propertiesConfigMap } from "@kindling/submit";
import type { Pod } from "kubernetes-types/core/v1.js";
import type { PodRole } from "@kindling/recorder-client";
import { podSecrets } from "../secrets/pod-secrets.ts";

/** Pods of Spark on Kubernetes (org.apache.spark.deploy.k8s.Constants). */
export const SPARK_PODS = "spark-role in (driver,executor)";

/** A pod of a driver or an executor: what the recorder keeps of it. */
export interface SparkPod {
  readonly role: PodRole;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Spark's application id. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly state: PodState;
  /** The executor's id; missing for a driver. */
  readonly executor: string | undefined;
  /** What the pod requests: cores, and memory in bytes. */
  readonly cores: number;
  readonly memory: number;
  readonly queue: string | undefined;
  /** Without those that Spark sets. */
  readonly labels: Readonly<Record<string, string>>;
  /** What groups the attempts of an application: the SparkApplication that owns the driver, or Spark's application id. */
  readonly application: string;
  /** The name that its user knows it by. */
  readonly applicationName: string;
  /** The ConfigMap with the driver's properties; missing for executors. */
  readonly configMap: string | undefined;
  /** The image of the container that runs Spark. */
  readonly image: string | undefined;
  /** What it names that may be shown nowhere. This is kept in memory only. */
  readonly secrets: readonly string[];
}

/** `undefined` for a pod that is none of Spark's, and for one without what Spark always sets. */
export function sparkPod(pod: Pod): SparkPod | undefined {
  const { metadata, spec } = pod;
  const { labels = {}, name, namespace, uid, resourceVersion = "", creationTimestamp = "" } = metadata ?? {};
  const role = labels[SPARK_ROLE_LABEL];
  const id = labels[SPARK_APP_ID_LABEL];
  if ((role !== "driver" && role !== "executor") || id === undefined) return undefined;
  if (name === undefined || namespace === undefined || uid === undefined) return undefined;
  const state = podState(pod);
  const containers = spec?.containers ?? [];
  const { requests } = podShape({ spec: spec ?? { containers: [] }, status: pod.status });
  return {
    ...{ role, namespace, name, uid, resourceVersion, id, state },
    created: Date.parse(creationTimestamp),
    cores: (requests["cpu"] ?? 0) / 1000,
    memory: requests["memory"] ?? 0,
    executor: role === "executor" ? labels[SPARK_EXECUTOR_ID_LABEL] : undefined,
    queue: labels[SCHEDULER_QUEUE_LABEL],
    labels: ownLabels(state.labels),
    application: metadata?.ownerReferences?.find(({ kind }) => kind === "SparkApplication")?.uid ?? id,
    applicationName: labels[OPERATED_NAME] ?? labels[SPARK_APP_NAME_LABEL] ?? name,
    configMap: propertiesConfigMap(spec),
    image: containers.find((container) => container.name === state.sparkContainer)?.image,
    secrets: podSecrets(pod),
  };
}

/** kubeflow/spark-operator, pkg/common/spark.go. */
const OPERATED_NAME = "sparkoperator.k8s.io/app-name";
const SPARKS_LABELS = /^spark-|^kubernetes\.io\/|^batch\.kubernetes\.io\//;

function ownLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !SPARKS_LABELS.test(key)));
}

/** The container that runs Spark, as its status shows it. */
export function sparkContainerState({ state }: Pick<SparkPod, "state">): ContainerState | undefined {
  return state.containers.find(({ name }) => name === state.sparkContainer);
}

/** Whether Spark in a pod has ended, whatever else still runs there. */
export function hasEnded({ state }: Pick<SparkPod, "state">): boolean {
  const phase = applicationPhase(state);
  return phase === "Succeeded" || phase === "Failed";
}

/** Whether the container of Spark has begun, so that it has a log. */
export function hasLog({ state }: Pick<SparkPod, "state">): boolean {
  const container = sparkContainerState({ state });
  return container?.state === "running" || container?.state === "terminated";
}
