import type { Pod } from "kubernetes-types/core/v1.js";
import { EXECUTOR_ID_LABEL, INACTIVE_LABEL, PROFILE_ID_LABEL } from "./labels.ts";

/** The id that Spark gives an executor; ids of one application grow from 1. */
export type ExecutorId = number;

/** The state of an executor pod, in Spark's states (ExecutorPodState). */
export type ExecutorPodPhase = "pending" | "running" | "succeeded" | "failed" | "deleted" | "terminating" | "unknown";

/** How the container that runs the executor ended. */
export interface ExecutorTermination {
  /** -1 if the container's end was not seen (ExecutorPodsLifecycleManager.findExitCode). */
  readonly exitCode: number;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

/** What allocation and lifecycle need to know about an executor pod. */
export interface ExecutorPod {
  readonly id: ExecutorId;
  readonly name: string;
  readonly uid: string;
  /** The id of its resource profile. */
  readonly profileId: number;
  readonly phase: ExecutorPodPhase;
  /** Milliseconds since the epoch, by the API server's clock. */
  readonly created: number;
  /** Whether somebody has begun to delete it. */
  readonly deleting: boolean;
  /** Whether it was marked as ended, and is kept for people to look at. */
  readonly inactive: boolean;
  /** The pod's own reason, such as Evicted. */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** The end of the executor's container; `undefined` while it has not ended. */
  readonly termination: ExecutorTermination | undefined;
  /** The persistent volume claims that it mounts. */
  readonly claims: readonly string[];
}

export interface ExecutorPodOptions {
  /** The container that runs the executor. */
  readonly container: string;
  /** Whether the failure of any container counts as the executor's failure, in a pod that is not restarted. */
  readonly checkAllContainers: boolean;
}

const EXECUTOR_CONTAINER = "spark-kubernetes-executor";

/** The values of Spark 4.1 without a pod template. */
export const DEFAULT_POD_OPTIONS: ExecutorPodOptions = { container: EXECUTOR_CONTAINER, checkAllContainers: true };

/**
 * Reads an executor pod; `undefined` if it has no executor id, such as a pod of a StatefulSet that has not asked for one yet
 * (ExecutorPodsSnapshot.toStatesByExecutorId, Spark 3.5 and 4.1).
 */
export function executorPod(pod: Pod, options: ExecutorPodOptions): ExecutorPod | undefined {
  const {
    metadata: { name = "", uid = "", labels = {}, creationTimestamp, deletionTimestamp } = {},
    status,
    spec,
  } = pod;
  const id = idOf(labels[EXECUTOR_ID_LABEL]);
  if (id === undefined) return undefined;
  return {
    id,
    name,
    uid,
    profileId: idOf(labels[PROFILE_ID_LABEL]) ?? 0,
    phase: phaseOf(pod, options),
    created: Date.parse(creationTimestamp ?? "") || 0,
    deleting: deletionTimestamp !== undefined,
    inactive: labels[INACTIVE_LABEL] === "true",
    reason: status?.reason,
    message: status?.message,
    termination: terminationOf(pod, options.container),
    claims: (spec?.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
  };
}

function idOf(label: string | undefined): number | undefined {
  return label !== undefined && /^\d{1,9}$/.test(label) ? Number(label) : undefined;
}

const PHASES = ["pending", "running", "failed", "succeeded", "terminating"] as const;

/** The order matters: a pod that is being deleted while its container runs is still a running executor. */
function phaseOf(pod: Pod, { container, checkAllContainers }: ExecutorPodOptions): ExecutorPodPhase {
  const phase = PHASES.find((known) => known === pod.status?.phase?.toLowerCase()) ?? "unknown";
  const mayRun = phase === "running" || phase === "terminating";
  if (pod.metadata?.deletionTimestamp !== undefined && !mayRun) return "deleted";
  return phase === "running" ? runningPhase(pod, container, checkAllContainers) : phase;
}

function runningPhase(pod: Pod, container: string, checkAllContainers: boolean): ExecutorPodPhase {
  const ended = (pod.status?.containerStatuses ?? []).flatMap(({ name, state }) =>
    state?.terminated === undefined ? [] : [{ name, exitCode: state.terminated.exitCode }],
  );
  const restarts = pod.spec?.restartPolicy !== "Never";
  if (checkAllContainers && !restarts && ended.some(({ exitCode }) => exitCode !== 0)) return "failed";
  const own = ended.find(({ name }) => name === container);
  if (own === undefined) return "running";
  return own.exitCode === 0 ? "succeeded" : "failed";
}

function terminationOf({ status }: Pod, container: string): ExecutorTermination | undefined {
  const { terminated } = status?.containerStatuses?.find(({ name }) => name === container)?.state ?? {};
  return terminated && { exitCode: terminated.exitCode, reason: terminated.reason, message: terminated.message };
}
