import { confKey, confType, type ConfKey } from "@kindling/core-spec";
import { followLogs, isKubeError, linkedAbort, type KubeClient } from "@kindling/kube";
import { systemClock } from "@kindling/outside";
import { clusterError } from "../cluster/cluster-error.ts";
import type { Application, SubmissionEvent } from "../events.ts";
import { followPod } from "./follow-pod.ts";
import { driverExitCode, hasStarted, isFinished, type PodState } from "./pod-state.ts";

export const REPORT_INTERVAL: ConfKey<number> = confKey({
  key: "spark.kubernetes.report.interval",
  type: confType.checked(confType.time("ms"), (milliseconds) => milliseconds > 0, "a positive duration"),
  default: "1s",
  since: "2.3.0",
  readBy: ["submit"],
  doc: "How often to ask for the driver pod where watching it is not allowed.",
});

/** How an application ended. */
export type Outcome =
  | { readonly phase: "Succeeded"; readonly exitCode: 0 }
  | { readonly phase: "Failed"; readonly exitCode: number; readonly reason: string | undefined }
  /** The driver pod was deleted before it came to an end. */
  | { readonly phase: "Deleted" };

export interface FollowApplicationOptions {
  /** How often to ask for the driver pod where watching it is not allowed. */
  readonly intervalMs: number;
  readonly logs: boolean;
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal?: AbortSignal | undefined;
}

/** How long the log of a driver pod that is gone may still bring lines: nobody ends it where the pod's node is lost. */
const LOG_OF_DELETED_MS = 2_000;

/** Follows an application to its end, telling of each change. Throws `INTERRUPTED` when the signal says so. */
export async function followApplication(
  client: KubeClient,
  application: Application,
  { intervalMs, logs, emit, signal }: FollowApplicationOptions,
): Promise<Outcome> {
  const { namespace, driverPod: name, driverContainer } = application;
  const onTrouble = (error: unknown): void => {
    const { message } = clusterError(error);
    emit({ type: "notice", message: `the driver pod cannot be looked at, and is tried again: ${message}` });
  };
  const reading = linkedAbort(signal);
  let last: PodState | undefined;
  let log: Promise<void> | undefined;
  try {
    for await (const state of followPod(client, { namespace, name, intervalMs, signal, onTrouble })) {
      if (last === undefined || changed(last, state)) emit({ type: "state", application, state });
      last = state;
      if (logs && hasStarted(state, driverContainer)) {
        log ??= bringLog(client, application, emit, reading.signal);
      }
      if (isFinished(state)) break;
    }
    // The container may write its last lines after the pod's phase is known.
    const isGone = last === undefined || !isFinished(last);
    const cancel = isGone ? systemClock.after(LOG_OF_DELETED_MS, () => reading.abort()) : () => {};
    await log;
    cancel();
  } catch (error) {
    reading.abort();
    await log;
    throw clusterError(error);
  } finally {
    reading.release();
  }
  emit({ type: "finished", application, state: last });
  return outcomeOf(last, driverContainer);
}

/** Brings the driver's log; an application whose log may not be read is followed without it. */
async function bringLog(
  client: KubeClient,
  { namespace, driverPod, driverContainer }: Application,
  emit: (event: SubmissionEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const line of followLogs(client, driverPod, { namespace, container: driverContainer, signal })) {
      emit({ type: "log", line });
    }
  } catch (error) {
    if (isKubeError(error) && error.kind === "aborted") return;
    emit({ type: "notice", message: `the driver's log cannot be read: ${clusterError(error).message}` });
  }
}

function changed(before: PodState, after: PodState): boolean {
  const summary = ({ phase, node, reason, deleting, containers }: PodState): string =>
    JSON.stringify([phase, node, reason, deleting, containers]);
  return summary(before) !== summary(after);
}

function outcomeOf(state: PodState | undefined, container: string): Outcome {
  if (state?.phase === "Succeeded") return { phase: "Succeeded", exitCode: 0 };
  if (state?.phase !== "Failed") return { phase: "Deleted" };
  const ended = state.containers.find((candidate) => candidate.name === container);
  const reason = state.reason ?? (ended?.state === "terminated" ? ended.reason : undefined);
  return { phase: "Failed", exitCode: driverExitCode(state, container) || 1, reason };
}
