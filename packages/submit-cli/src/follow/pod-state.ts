import type { Pod as KubernetesPod } from "kubernetes-types/core/v1.js";

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

/** Reads what is worth telling out of a pod. */
export function podState(pod: KubernetesPod): PodState {
  const { metadata = {}, spec, status = {} } = pod;
  const unschedulable = status.conditions?.find(
    (condition) => condition.type === "PodScheduled" && condition.status === "False",
  );
  return {
    name: metadata.name ?? "",
    namespace: metadata.namespace ?? "",
    uid: metadata.uid ?? "",
    labels: metadata.labels ?? {},
    created: text(metadata.creationTimestamp),
    serviceAccount: spec?.serviceAccountName,
    volumes: (spec?.volumes ?? []).map((volume) => volume.name),
    node: spec?.nodeName,
    started: text(status.startTime),
    phase: status.phase ?? "unknown",
    reason: status.reason ?? unschedulable?.reason,
    message: status.message ?? unschedulable?.message,
    deleting: metadata.deletionTimestamp !== undefined,
    containers: (status.containerStatuses ?? []).map(({ name, image, state = {} }): ContainerState => {
      if (state.running) return { name, image, state: "running", startedAt: text(state.running.startedAt) };
      if (state.terminated) {
        const { startedAt, finishedAt, exitCode, reason, message } = state.terminated;
        return {
          name,
          image,
          state: "terminated",
          startedAt: text(startedAt),
          finishedAt: text(finishedAt),
          exitCode,
          reason,
          message,
        };
      }
      if (state.waiting)
        return { name, image, state: "waiting", reason: state.waiting.reason, message: state.waiting.message };
      return { name, image, state: "unknown" };
    }),
  };
}

function text(time: unknown): string | undefined {
  return typeof time === "string" ? time : undefined;
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
