import { createRedactor, REDACTED, type Redactor } from "@kindling/core-spec";
import { followLogs, isKubeError, linkedAbort, type KubeClient } from "@kindling/kube";
import { systemOutside, type Outside } from "@kindling/outside";
import { clusterError } from "../cluster/cluster-error.ts";
import type { Application, SubmissionEvent } from "../events.ts";
import { cleanError, cleanValue } from "../secrets/clean-error.ts";
import { cleanEvent } from "../secrets/clean-event.ts";
import { followDriver, isOver } from "./follow-driver.ts";
import {
  diagnose,
  driverTermination,
  hasStarted,
  isDeletedByUser,
  isFinished,
  type Diagnosis,
  type PodState,
} from "@kindling/diagnosis";
import { checkups } from "../diagnose/checkups.ts";
import { gatherEvidence } from "../diagnose/gather-evidence.ts";

/** How an application ended. */
export type Outcome =
  | { readonly phase: "Succeeded"; readonly exitCode: 0 }
  | {
      readonly phase: "Failed";
      readonly exitCode: number;
      readonly reason: string | undefined;
      /** Why, as far as could be found out. */
      readonly diagnosis: Diagnosis;
    }
  /** The driver pod was deleted before it came to an end. */
  | { readonly phase: "Deleted" };

export interface FollowOptions {
  /** How often to ask for the driver pod where watching it is not allowed. Default: a second. */
  readonly intervalMs?: number;
  /** Whether to bring the driver's log, as events. */
  readonly logs?: boolean | undefined;
  readonly onEvent?: ((event: SubmissionEvent) => void) | undefined;
  /** Ends the following; the application goes on. */
  readonly signal?: AbortSignal | undefined;
  readonly outside?: Pick<Outside, "clock" | "random">;
  /** Knows what may not be shown: errors and events are without it. */
  readonly secrets?: Redactor;
}

/** How long the log of a driver pod that is gone may still bring lines: nobody ends it where the pod's node is lost. */
const LOG_OF_DELETED_MS = 2_000;

/**
 * Follows an application to its end, telling of each change.
 *
 * @throws KindlingError `INTERRUPTED` when the signal says so, and for what the API server refuses
 */
export async function follow(
  application: Application,
  client: KubeClient,
  options: FollowOptions = {},
): Promise<Outcome> {
  const { onEvent, secrets = createRedactor(REDACTED) } = options;
  const emit = (event: SubmissionEvent): void => onEvent?.(cleanEvent(event, secrets));
  const interruption = linkedAbort(options.signal);
  try {
    return cleanValue(await toTheEnd(application, client, { ...options, emit, signal: interruption.signal }), secrets);
  } catch (error) {
    throw cleanError(error, secrets);
  } finally {
    interruption.release();
  }
}

interface Following extends FollowOptions {
  readonly emit: (event: SubmissionEvent) => void;
}

async function toTheEnd(
  application: Application,
  client: KubeClient,
  { intervalMs = 1000, logs = false, emit, signal, outside = systemOutside() }: Following,
): Promise<Outcome> {
  const { namespace, driverPod: name, driverContainer } = application;
  const onTrouble = (error: unknown): void => {
    const { message } = clusterError(error);
    emit({ type: "notice", message: `the driver pod cannot be looked at, and is tried again: ${message}` });
  };
  let reading = linkedAbort(signal);
  const examining = linkedAbort(signal);
  let last: PodState | undefined;
  const examined = checkups(client, {
    driverContainer,
    clock: outside.clock,
    signal: examining.signal,
    driver: () => last,
    tell: (diagnosis) => emit({ type: "diagnosis", application, diagnosis }),
  });
  let log: Promise<void> | undefined;
  // The container may write its last lines after the pod's phase is known.
  const endLog = async (state: PodState | undefined): Promise<void> => {
    const isGone = state === undefined || !isFinished(state);
    const cancel = isGone ? outside.clock.after(LOG_OF_DELETED_MS, () => reading.abort()) : () => {};
    await log;
    cancel();
  };
  try {
    for await (const state of followDriver(client, { namespace, name, intervalMs, outside, signal, onTrouble })) {
      // Another pod, and another log.
      if (last !== undefined && last.uid !== state.uid) {
        await endLog(last);
        reading.release();
        [reading, log] = [linkedAbort(signal), undefined];
      }
      if (last === undefined || changed(last, state)) emit({ type: "state", application, state });
      const at = state.restart?.at;
      if (at !== undefined && last?.restart?.at === undefined)
        emit({ type: "notice", message: startedAgain(state, at) });
      last = state;
      if (logs && hasStarted(state, driverContainer)) {
        log ??= bringLog(client, application, emit, reading.signal);
      }
      if (isOver(state)) break;
    }
    await endLog(last);
  } catch (error) {
    reading.abort();
    await log;
    throw clusterError(error);
  } finally {
    examining.abort();
    await examined;
    examining.release();
    reading.release();
  }
  const isDeleted = last?.phase !== "Succeeded" && (last?.phase !== "Failed" || isDeletedByUser(last));
  if (isDeleted) emit({ type: "notice", message: "the driver pod was deleted before the application came to its end" });
  emit({ type: "finished", application, state: last });
  if (last === undefined || isDeleted) return { phase: "Deleted" };
  if (last.phase === "Succeeded") return { phase: "Succeeded", exitCode: 0 };
  const evidence = await gatherEvidence(client, last, { driverContainer, signal });
  const diagnosis = diagnose(evidence, outside.clock.now());
  emit({ type: "diagnosis", application, diagnosis });
  return { phase: "Failed", ...endOf(last, driverContainer), diagnosis };
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

function startedAgain(state: PodState, at: string): string {
  const code = driverTermination(state, state.sparkContainer)?.exitCode;
  const how = code === undefined ? "" : ` with exit code ${code}`;
  return `the driver ended${how}, and the gateway starts it again at ${at}`;
}

function changed(before: PodState, after: PodState): boolean {
  const summary = ({ phase, node, reason, deleting, containers }: PodState): string =>
    JSON.stringify([phase, node, reason, deleting, containers]);
  return summary(before) !== summary(after);
}

function endOf(state: PodState, container: string): Pick<Outcome & { phase: "Failed" }, "exitCode" | "reason"> {
  const ended = driverTermination(state, container);
  const reason = state.reason ?? (ended?.name === container ? ended.reason : undefined);
  return { exitCode: ended?.exitCode || 1, reason };
}
