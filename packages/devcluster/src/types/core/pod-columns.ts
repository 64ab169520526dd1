import type { ContainerStatus, Pod } from "../../objects/pod.ts";
import { age, columns, type Columns, humanDuration, orNone } from "@kindling/api-server";

/** What `kubectl get pods` shows. */
export const podColumns: Columns = columns(
  "Name | Ready | Status | Restarts | Age | IP* | Node* | Nominated Node* | Readiness Gates*",
  (object, now) => {
    const pod = object as Pod;
    const { spec, status, metadata } = pod;
    const { ready, restarts, lastRestart, reason } = summarisePod(pod);
    const total = (spec.containers ?? []).length + sidecarNames(pod).size;
    const restartText =
      restarts > 0 && lastRestart > 0 ? `${restarts} (${humanDuration(now - lastRestart)} ago)` : `${restarts}`;
    return [
      metadata.name,
      `${ready}/${total}`,
      reason,
      restartText,
      age(metadata.creationTimestamp, now),
      orNone(status.podIP),
      orNone(spec.nodeName),
      orNone(status.nominatedNodeName),
      readinessGates(pod),
    ];
  },
);

interface PodSummary {
  ready: number;
  restarts: number;
  /** The end before the last restart, in milliseconds since 1970; 0 if there is none. */
  lastRestart: number;
  reason: string;
}

// Follows the server's printer (kubernetes, pkg/printers/internalversion, printPod) in the order of precedence.
function summarisePod(pod: Pod): PodSummary {
  const { status, metadata } = pod;
  const summary: PodSummary = { ready: 0, restarts: 0, lastRestart: 0, reason: status.reason || (status.phase ?? "") };
  const gated = status.conditions?.some(({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated");
  if (gated === true) summary.reason = "SchedulingGated";
  const initializing = summariseInit(pod, summary);
  if (!initializing || isConditionTrue(pod, "Initialized")) summariseContainers(pod, summary);
  if (metadata.deletionTimestamp !== undefined && status.reason === "NodeLost") summary.reason = "Unknown";
  else if (metadata.deletionTimestamp !== undefined && !isEnded(pod)) summary.reason = "Terminating";
  return summary;
}

function isEnded({ status }: Pod): boolean {
  return status.phase === "Failed" || status.phase === "Succeeded";
}

function sidecarNames({ spec }: Pod): Set<string> {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return new Set(sidecars.map(({ name }) => name));
}

/** Examines the init containers; returns true if the pod is waiting for them. */
function summariseInit(pod: Pod, summary: PodSummary): boolean {
  const sidecars = sidecarNames(pod);
  const total = (pod.spec.initContainers ?? []).length;
  for (const [index, status] of (pod.status.initContainerStatuses ?? []).entries()) {
    countRestarts(status, summary);
    const { terminated, waiting } = status.state;
    const sidecar = sidecars.has(status.name);
    if (terminated?.exitCode === 0 && terminated !== undefined) continue;
    if (sidecar && status.started === true) {
      if (status.ready) summary.ready += 1;
      continue;
    }
    if (terminated !== undefined) summary.reason = `Init:${endReason(terminated)}`;
    else if (waiting !== undefined && (waiting.reason ?? "") !== "" && waiting.reason !== "PodInitializing") {
      summary.reason = `Init:${waiting.reason ?? ""}`;
    } else summary.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

function summariseContainers(pod: Pod, summary: PodSummary): void {
  const statuses = pod.status.containerStatuses ?? [];
  const sidecarRestarts = { restarts: summary.restarts, lastRestart: summary.lastRestart };
  const hasSidecars = sidecarNames(pod).size > 0;
  summary.restarts = hasSidecars ? sidecarRestarts.restarts : 0;
  summary.lastRestart = hasSidecars ? sidecarRestarts.lastRestart : 0;
  let running = false;
  for (const status of [...statuses].reverse()) {
    countRestarts(status, summary);
    const { waiting, terminated, running: runs } = status.state;
    if ((waiting?.reason ?? "") !== "") summary.reason = waiting?.reason ?? "";
    else if (terminated !== undefined) summary.reason = endReason(terminated);
    else if (status.ready && runs !== undefined) {
      running = true;
      summary.ready += 1;
    }
  }
  // One container may have completed while others still run.
  if (summary.reason === "Completed" && running)
    summary.reason = isConditionTrue(pod, "Ready") ? "Running" : "NotReady";
}

function countRestarts({ restartCount, lastState }: ContainerStatus, summary: PodSummary): void {
  summary.restarts += restartCount;
  const ended = lastState.terminated?.finishedAt;
  if (ended !== undefined && ended !== null) summary.lastRestart = Math.max(summary.lastRestart, Date.parse(ended));
}

function endReason({
  reason = "",
  signal = 0,
  exitCode,
}: {
  reason?: string;
  signal?: number;
  exitCode: number;
}): string {
  if (reason !== "") return reason;
  return signal === 0 ? `ExitCode:${exitCode}` : `Signal:${signal}`;
}

function isConditionTrue({ status }: Pod, type: string): boolean {
  return status.conditions?.some((condition) => condition.type === type && condition.status === "True") === true;
}

function readinessGates(pod: Pod): string {
  const gates = pod.spec.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  return `${gates.filter(({ conditionType }) => isConditionTrue(pod, conditionType)).length}/${gates.length}`;
}
