import { SPARK_ROLE_LABEL } from "@kindling/core-spec";
import type { RecordIdentity } from "@kindling/controller";
import { OPERATOR_LABELS } from "@kindling/spark-application";
import type { ContainerStatus, Pod } from "kubernetes-types/core/v1.js";
import { CONNECT_ROLE, DRIVER_CONTAINER, SPEC_ANNOTATION } from "./spark-names.ts";

/** What the operator keeps of the pod of a Connect server, or of one of its executors. */
export type ConnectPodRecord = ConnectServerRecord | ConnectExecutorRecord;

interface ConnectPod extends RecordIdentity {
  readonly namespace: string;
  /** The name of the SparkConnect, by its label. */
  readonly connectName: string;
  readonly phase: string;
}

export interface ConnectExecutorRecord extends ConnectPod {
  readonly role: "executor";
}

export interface ConnectServerRecord extends ConnectPod {
  readonly role: "server";
  readonly ownerUids: readonly string[];
  readonly isDeleting: boolean;
  /** Since when it is ready, in milliseconds since the epoch; undefined if it is not. */
  readonly readySinceMs: number | undefined;
  readonly ip: string;
  /** Whether Kubernetes starts its containers again after each end. */
  readonly isRestarted: boolean;
  readonly restarts: number;
  /** The reason for which its container waits: `ImagePullBackOff`; empty if it does not wait. */
  readonly waitsFor: string;
  /** What is wrong with it, as far as its status says that; may be empty. */
  readonly trouble: string;
  /** For which spec it was made; undefined for a pod of stock's operator. */
  readonly specMark: string | undefined;
}

/** @returns undefined for pods that belong to no SparkConnect */
export function connectPodRecord(pod: Pod): ConnectPodRecord | undefined {
  const { metadata = {}, status = {} } = pod;
  const labels = metadata.labels ?? {};
  const connectName = labels[OPERATOR_LABELS.connectName];
  if (connectName === undefined) return undefined;
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = metadata;
  const common = { namespace, name, uid, resourceVersion, connectName, phase: status.phase ?? "" };
  if (labels[SPARK_ROLE_LABEL] === "executor") return { ...common, role: "executor" };
  if (labels[SPARK_ROLE_LABEL] !== CONNECT_ROLE) return undefined;
  const container = containerStatus(pod);
  return {
    ...common,
    role: "server",
    ownerUids: (metadata.ownerReferences ?? []).map((owner) => owner.uid),
    isDeleting: metadata.deletionTimestamp !== undefined,
    readySinceMs: readySince(pod),
    ip: status.podIP ?? "",
    isRestarted: (pod.spec?.restartPolicy ?? "Always") === "Always",
    restarts: container?.restartCount ?? 0,
    waitsFor: container?.state?.waiting?.reason ?? "",
    trouble: troubleOf(pod, container),
    specMark: metadata.annotations?.[SPEC_ANNOTATION],
  };
}

/** The status of the server's container: that of Spark's name, or else the first of the spec. */
function containerStatus({ spec, status }: Pod): ContainerStatus | undefined {
  const names = (spec?.containers ?? []).map(({ name }) => name);
  const wanted = names.includes(DRIVER_CONTAINER) ? DRIVER_CONTAINER : names[0];
  return status?.containerStatuses?.find(({ name }) => name === wanted);
}

function readySince({ status }: Pod): number | undefined {
  const ready = status?.conditions?.find(({ type, status: holds }) => type === "Ready" && holds === "True");
  if (ready === undefined) return undefined;
  const since = Date.parse(ready.lastTransitionTime ?? "");
  return Number.isNaN(since) ? 0 : since;
}

/** Reasons of a container that is being made. */
const ON_ITS_WAY: ReadonlySet<string> = new Set(["ContainerCreating", "PodInitializing", ""]);

function troubleOf({ status = {} }: Pod, container: ContainerStatus | undefined): string {
  const { reason: ofPod = "", message: messageOfPod = "", conditions = [] } = status;
  const unscheduled = conditions.find(({ type, status: holds }) => type === "PodScheduled" && holds === "False");
  const { waiting, terminated } = container?.state ?? {};
  const waits = ON_ITS_WAY.has(waiting?.reason ?? "") ? [] : [waiting?.reason, waiting?.message];
  const end = terminated ?? container?.lastState?.terminated;
  const ended =
    end === undefined ? "" : `its container ended with exit code ${end.exitCode}, ${end.reason ?? "no reason given"}`;
  return [[ofPod, messageOfPod], [unscheduled?.reason, unscheduled?.message], waits, [ended]]
    .map((parts) => parts.filter((part) => part !== undefined && part !== "").join(": "))
    .filter((text) => text !== "")
    .join("; ");
}
