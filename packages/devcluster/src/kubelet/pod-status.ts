import { type Condition, defined } from "@kindling/kube-objects";
import { setCondition } from "../objects/conditions.ts";
import type { ContainerStatus, Pod, PodPhase, PodStatus } from "../objects/pod.ts";
import type { ContainerRecord } from "./container-record.ts";

/** What the kubelet knows about a pod, for its status. */
export interface PodState {
  readonly inits: readonly ContainerRecord[];
  readonly mains: readonly ContainerRecord[];
  readonly ip: string | undefined;
  readonly hostIp: string;
  readonly startTime: string;
  /** Set when the pod has failed as a whole: evicted, out of time. */
  readonly failure: { readonly reason: string; readonly message: string } | undefined;
  readonly now: number;
}

/** The status of a pod, built from the state of its containers; conditions keep the time of their last change. */
export function podStatus(pod: Pod, state: PodState): PodStatus {
  const generation = pod.metadata.generation;
  const phase = state.failure === undefined ? podPhase(pod, state) : "Failed";
  const statuses = (records: readonly ContainerRecord[]): ContainerStatus[] =>
    records.map((record) => record.status(pod));
  const inits = statuses(state.inits);
  const { ip, hostIp, failure } = state;
  return defined({
    observedGeneration: generation,
    phase,
    conditions: conditions(pod, state, phase),
    message: failure?.message,
    reason: failure?.reason,
    hostIP: hostIp,
    hostIPs: [{ ip: hostIp }],
    podIP: ip,
    podIPs: ip === undefined ? undefined : [{ ip }],
    startTime: state.startTime,
    initContainerStatuses: inits.length === 0 ? undefined : inits,
    // The statuses of init containers are in the order of their runs, these are not.
    containerStatuses: statuses(state.mains).sort((a, b) => (a.name < b.name ? -1 : 1)),
    qosClass: pod.status.qosClass,
  });
}

/** Counterpart of the kubelet's `getPhase`. */
function podPhase({ spec }: Pod, { inits, mains }: PodState): PodPhase {
  const failedInit = inits.some(
    ({ kind, state }) => kind === "init" && state.terminated !== undefined && state.terminated.exitCode !== 0,
  );
  if (failedInit) return spec.restartPolicy === "Never" ? "Failed" : "Pending";
  if (inits.some((record) => !isInitialised(record))) return "Pending";
  const waiting = mains.filter(
    ({ state, lastState }) => state.waiting !== undefined && lastState.terminated === undefined,
  );
  if (waiting.length > 0) return "Pending";
  if (mains.some(({ state }) => state.running !== undefined)) return "Running";
  const ended = mains.filter(({ state }) => state.terminated !== undefined);
  if (ended.length < mains.length) return "Running";
  if (spec.restartPolicy === "Always") return "Running";
  if (ended.every(({ state }) => state.terminated?.exitCode === 0)) return "Succeeded";
  return spec.restartPolicy === "Never" ? "Failed" : "Running";
}

// A sidecar that has run once counts as done, even if it has ended or is started again.
function isInitialised({ kind, state, lastState, started }: ContainerRecord): boolean {
  if (kind === "sidecar") return started || state.terminated !== undefined || lastState.terminated !== undefined;
  return state.terminated?.exitCode === 0;
}

function conditions(pod: Pod, state: PodState, phase: PodPhase): Condition[] {
  const generation = pod.metadata.generation;
  const over = phase === "Succeeded" || phase === "Failed";
  const condition = (type: string, holds: boolean, reason: string, message: string): Condition => {
    const explained = !holds && reason !== "";
    const status: Condition["status"] = holds ? "True" : "False";
    return defined({
      type,
      status,
      lastProbeTime: null,
      observedGeneration: generation,
      message: explained && message !== "" ? message : undefined,
      reason: explained ? reason : undefined,
    });
  };
  const unready = [...state.inits.filter(({ kind }) => kind === "sidecar"), ...state.mains].filter(
    ({ ready }) => !ready,
  );
  const uninitialised = state.inits.filter((record) => !isInitialised(record));
  const names = (records: readonly ContainerRecord[]): string =>
    `[${records.map((one) => one.container.name).join(" ")}]`;
  const [reason, message] = over
    ? [phase === "Succeeded" ? "PodCompleted" : "PodFailed", ""]
    : ["ContainersNotReady", `containers with unready status: ${names(unready)}`];
  const ready = unready.length === 0 && !over && uninitialised.length === 0;
  const initialised = uninitialised.length === 0;
  let all = pod.status.conditions ?? [];
  for (const one of [
    condition("PodReadyToStartContainers", state.ip !== undefined && !over, "", ""),
    over && initialised && phase === "Succeeded"
      ? { ...condition("Initialized", true, "", ""), reason: "PodCompleted" }
      : condition(
          "Initialized",
          initialised,
          "ContainersNotInitialized",
          `containers with incomplete status: ${names(uninitialised)}`,
        ),
    condition("Ready", ready && gatesOpen(pod), reason, message),
    condition("ContainersReady", ready, reason, message),
  ]) {
    all = setCondition(all, one, state.now);
  }
  const scheduled = condition("PodScheduled", true, "", "");
  return inOrder(setCondition(all, scheduled, state.now));
}

function gatesOpen({ spec, status }: Pod): boolean {
  return (spec.readinessGates ?? []).every(({ conditionType }) =>
    status.conditions?.some(({ type, status: holds }) => type === conditionType && holds === "True"),
  );
}

const ORDER = [
  "DisruptionTarget",
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
];

function inOrder(all: readonly Condition[]): Condition[] {
  const rank = ({ type }: Condition): number => {
    const index = ORDER.indexOf(type);
    return index < 0 ? ORDER.length : index;
  };
  return [...all].sort((a, b) => rank(a) - rank(b));
}
