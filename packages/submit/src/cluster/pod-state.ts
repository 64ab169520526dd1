import { harmlessText } from "@kindling/core-spec";
import type { ContainerStatus, Pod as KubernetesPod } from "kubernetes-types/core/v1.js";

/** The part of a driver pod's state that a follower tells of. */
export interface PodState {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string | undefined;
  readonly serviceAccount: string | undefined;
  readonly volumes: readonly string[];
  readonly node: string | undefined;
  readonly started: string | undefined;
  readonly phase: string;
  /** Why the pod is in its phase, where the cluster says so: Evicted, Unschedulable, … */
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly deleting: boolean;
  readonly containers: readonly ContainerState[];
}

export type ContainerState = { readonly name: string; readonly image: string } & (
  | { readonly state: "running"; readonly startedAt: string | undefined }
  | { readonly state: "waiting"; readonly reason: string | undefined; readonly message: string | undefined }
  | {
      readonly state: "terminated";
      readonly startedAt: string | undefined;
      readonly finishedAt: string | undefined;
      readonly exitCode: number;
      readonly reason: string | undefined;
      readonly message: string | undefined;
    }
  | { readonly state: "unknown" }
);

/**
 * Reads what is worth telling out of a pod, as it may be shown: kubelets, controllers and whoever may patch a pod write into
 * it. What does not have its type is left out.
 */
export function podState(pod: KubernetesPod): PodState {
  const { metadata, spec, status } = pod;
  const unschedulable = listOf(status?.conditions).find(
    (condition) => condition.type === "PodScheduled" && condition.status === "False",
  );
  return {
    name: text(metadata?.name) ?? "",
    namespace: text(metadata?.namespace) ?? "",
    uid: text(metadata?.uid) ?? "",
    labels: Object.fromEntries(
      Object.entries(metadata?.labels ?? {}).map(([key, value]) => [harmlessText(key), text(value) ?? ""]),
    ),
    created: text(metadata?.creationTimestamp),
    serviceAccount: text(spec?.serviceAccountName),
    volumes: listOf(spec?.volumes).map((volume) => text(volume.name) ?? ""),
    node: text(spec?.nodeName),
    started: text(status?.startTime),
    phase: text(status?.phase) ?? "unknown",
    reason: text(status?.reason) ?? text(unschedulable?.reason),
    message: text(status?.message) ?? text(unschedulable?.message),
    deleting: metadata?.deletionTimestamp !== undefined,
    containers: listOf(status?.containerStatuses).map(containerState),
  };
}

function containerState({ name, image, state }: ContainerStatus): ContainerState {
  const container = { name: text(name) ?? "", image: text(image) ?? "" };
  if (state?.running) return { ...container, state: "running", startedAt: text(state.running.startedAt) };
  if (state?.terminated) {
    const { startedAt, finishedAt, exitCode, reason, message } = state.terminated;
    return {
      ...container,
      state: "terminated",
      startedAt: text(startedAt),
      finishedAt: text(finishedAt),
      exitCode: Number.isInteger(exitCode) ? exitCode : 1,
      reason: text(reason),
      message: text(message),
    };
  }
  if (!state?.waiting) return { ...container, state: "unknown" };
  return { ...container, state: "waiting", reason: text(state.waiting.reason), message: text(state.waiting.message) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? harmlessText(value) : undefined;
}

function listOf<T extends object>(value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value.filter((item: T | null) => typeof item === "object" && item !== null) : [];
}

/** Whether the application has come to its end. */
export function isFinished({ phase }: PodState): boolean {
  return phase === "Succeeded" || phase === "Failed";
}

/** How the driver's container ended: the one that runs Spark, else the first that did not end well. */
export function driverExitCode(state: PodState, containerName: string | undefined): number | undefined {
  const ended = state.containers.flatMap((container) => (container.state === "terminated" ? [container] : []));
  const driver =
    ended.find((container) => container.name === containerName) ??
    ended.find((container) => container.exitCode !== 0) ??
    ended[0];
  return driver?.exitCode;
}

/** Whether a container has begun; without a name, whether any has. */
export function hasStarted(state: PodState, container: string | undefined): boolean {
  return state.containers.some(
    ({ name, state: now }) =>
      (container === undefined || name === container) && (now === "running" || now === "terminated"),
  );
}
