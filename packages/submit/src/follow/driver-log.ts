import { followLogs, isKubeError, linkedAbort, type KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import { clusterError } from "../cluster/cluster-error.ts";
import type { Application, SubmissionEvent } from "../events.ts";

/** The log of an application's driver, pod after pod, as events. */
export interface DriverLog {
  /** Starts to read the log of the current pod, if that has not begun yet. */
  begin(): void;
  /**
   * Resolves when the log has ended: the container may write its last lines after the pod's phase is known.
   *
   * @param isGone whether the pod no longer exists and has not ended
   */
  end(isGone: boolean): Promise<void>;
  /** Switches to the log of another pod. */
  renew(): void;
  abort(): Promise<void>;
  release(): void;
}

export interface DriverLogOptions {
  readonly clock: Clock;
  readonly emit: (event: SubmissionEvent) => void;
  readonly signal: AbortSignal | undefined;
}

/** How long to wait for log lines of a driver pod that is gone: if the pod's node is lost, nobody closes the log. */
const LOG_OF_DELETED_MS = 2_000;

export function driverLog(
  client: KubeClient,
  application: Application,
  { clock, emit, signal }: DriverLogOptions,
): DriverLog {
  let reading = linkedAbort(signal);
  let log: Promise<void> | undefined;
  return {
    begin() {
      log ??= bringLog(client, application, emit, reading.signal);
    },
    async end(isGone) {
      const cancel = isGone ? clock.after(LOG_OF_DELETED_MS, () => reading.abort()) : () => {};
      await log;
      cancel();
    },
    renew() {
      reading.release();
      [reading, log] = [linkedAbort(signal), undefined];
    },
    async abort() {
      reading.abort();
      await log;
    },
    release: () => reading.release(),
  };
}

/** Reads the driver's log. If this user may not read the log, the application is followed without it. */
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
