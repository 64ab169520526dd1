import {
  KEEPER_KEPT,
  KEEPER_LABEL,
  SPARK_APP_ID_LABEL,
  SPARK_EXECUTOR_ID_LABEL,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import type { RecordIdentity } from "@kindling/controller";
import type { Pod } from "kubernetes-types/core/v1.js";
import { OPERATOR_LABELS } from "@kindling/spark-application";
import { DRIVER_CONTAINER, EXECUTOR_CONTAINER } from "./spark-names.ts";

/** What the operator keeps of a pod that it launched, or that one of its drivers launched. */
export interface PodRecord extends RecordIdentity {
  readonly namespace: string;
  readonly role: "driver" | "executor";
  /** The name of the SparkApplication, by its label. */
  readonly applicationName: string;
  readonly submissionId: string;
  /** `spark-app-selector` */
  readonly sparkApplicationId: string;
  /** Only for executors, and only if the label is a number. */
  readonly executorId: number | undefined;
  readonly ownerUids: readonly string[];
  readonly isDeleting: boolean;
  readonly phase: string;
  /** How the container that runs Spark ended. */
  readonly terminated: ContainerEnd | undefined;
  /** Why the pod as a whole is in its phase: `Evicted`, `NodeLost`. */
  readonly reason: string;
  readonly message: string;
  /** Those of its labels that become labels of metrics. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface ContainerEnd {
  readonly exitCode: number;
  readonly reason: string;
  /** RFC 3339; empty if the kubelet did not say. */
  readonly finishedAt: string;
}

const NO_LABELS: PodRecord["labels"] = {};

/**
 * @param pickLabels chooses the labels that are kept; default: none
 * @returns undefined for pods that are neither driver nor executor of an application
 */
export function podRecord(
  { metadata = {}, status = {} }: Pod,
  pickLabels: (labels: PodRecord["labels"]) => PodRecord["labels"] = () => NO_LABELS,
): PodRecord | undefined {
  const labels = metadata.labels ?? {};
  const role = labels[SPARK_ROLE_LABEL];
  const applicationName = labels[OPERATOR_LABELS.appName];
  if ((role !== "driver" && role !== "executor") || applicationName === undefined) return undefined;
  const terminated = endOf(status, role === "driver" ? [DRIVER_CONTAINER] : EXECUTOR_CONTAINERS);
  const executorId = Number.parseInt(labels[SPARK_EXECUTOR_ID_LABEL] ?? "", 10);
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    role,
    applicationName,
    submissionId: labels[OPERATOR_LABELS.submissionId] ?? "",
    sparkApplicationId: labels[SPARK_APP_ID_LABEL] ?? "",
    executorId: Number.isNaN(executorId) ? undefined : executorId,
    ownerUids: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    isDeleting: metadata.deletionTimestamp !== undefined,
    phase: labels[KEEPER_LABEL] === KEEPER_KEPT ? endedPhase(terminated) : (status.phase ?? ""),
    terminated,
    reason: status.reason ?? "",
    message: status.message ?? "",
    labels: pickLabels(labels),
  };
}

/** The phase that the pod of an ended executor would have if it did not stay for its shuffle files. */
function endedPhase(terminated: ContainerEnd | undefined): string {
  return terminated?.exitCode === 0 ? "Succeeded" : "Failed";
}

/** The name of Spark's container with a template, and without one. */
const EXECUTOR_CONTAINERS = [EXECUTOR_CONTAINER, "executor"];

function endOf(
  { containerStatuses = [] }: NonNullable<Pod["status"]>,
  names: readonly string[],
): ContainerEnd | undefined {
  for (const name of names) {
    const terminated = containerStatuses.find((each) => each.name === name)?.state?.terminated;
    if (terminated === undefined) continue;
    const { exitCode, reason = "", finishedAt = "" } = terminated;
    return { exitCode, reason, finishedAt };
  }
  return undefined;
}
