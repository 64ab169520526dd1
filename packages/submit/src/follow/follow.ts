import { createRedactor, REDACTED, type Redactor } from "@kindling/core-spec";
import { linkedAbort, type KubeClient } from "@kindling/kube";
import { systemOutside, type Outside } from "@kindling/outside";
import { clusterError } from "../cluster/cluster-error.ts";
import type { Application, SubmissionEvent } from "../events.ts";
import { cleanError, cleanValue } from "../secrets/clean-error.ts";
import { cleanEvent } from "../secrets/clean-event.ts";
import { driverLog } from "./driver-log.ts";
import { followDriver, isOver } from "./follow-driver.ts";
import { endOf, type Outcome } from "./outcome.ts";
import { startLimits, type TimeLimits } from "./time-limits.ts";
import {
  applicationPhase,
  diagnose,
  driverTermination,
  hasStarted,
  isDeletedByUser,
  keptBy,
  type Diagnosis,
  type PodState,
} from "@kindling/diagnosis";
import { checkups } from "../evidence/checkups.ts";
import { gatherEvidence } from "../evidence/gather-evidence.ts";

export interface FollowOptions extends TimeLimits {
  /** How often to ask for the driver pod if this user may not watch it. Default: a second. */
  readonly intervalMs?: number;
  /** Whether to send the lines of the driver's log as events. */
  readonly logs?: boolean | undefined;
  /** How far to follow: until the container that runs Spark has started, or to the end. Default: to the end. */
  readonly until?: "started" | "ended" | undefined;
  /**
   * Which end counts: that of the container that runs Spark, or that of its pod, as in spark-submit. Sidecars delay the end
   * of the pod. Default: Spark's container.
   */
  readonly endsWith?: "spark" | "pod" | undefined;
  readonly onEvent?: ((event: SubmissionEvent) => void) | undefined;
  /** Stops following; the application goes on. */
  readonly signal?: AbortSignal | undefined;
  readonly outside?: Pick<Outside, "clock" | "random">;
  /** Knows the texts that may not be shown: errors and events do not contain them. */
  readonly secrets?: Redactor;
}

/**
 * Follows an application to its end and reports each change.
 *
 * @throws KindlingError `INTERRUPTED` when the signal is aborted, and for requests that the API server refuses
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

async function toTheEnd(application: Application, client: KubeClient, following: Following): Promise<Outcome> {
  const { intervalMs = 1000, logs = false, emit, signal, until = "ended", outside = systemOutside() } = following;
  const { namespace, driverPod: name, driverContainer } = application;
  const phaseOf = (state: PodState): string =>
    following.endsWith === "pod" ? state.phase : applicationPhase(state, driverContainer);
  const hasEnded = (state: PodState): boolean => phaseOf(state) === "Succeeded" || phaseOf(state) === "Failed";
  const onTrouble = (error: unknown): void => {
    const { message } = clusterError(error);
    emit({ type: "notice", message: `the driver pod cannot be looked at, and is tried again: ${message}` });
  };
  const watching = linkedAbort(signal);
  const limits = startLimits(outside.clock, following, () => watching.abort());
  const log = driverLog(client, application, { clock: outside.clock, emit, signal });
  const examining = linkedAbort(signal);
  let last: PodState | undefined;
  const examined = checkups(client, {
    driverContainer,
    clock: outside.clock,
    signal: examining.signal,
    driver: () => last,
    tell: (diagnosis) => emit({ type: "diagnosis", application, diagnosis }),
  });
  const diagnosisOf = async (driver: PodState): Promise<Diagnosis> => {
    const evidence = await gatherEvidence(client, driver, { driverContainer, signal });
    const diagnosis = diagnose(evidence, outside.clock.now());
    emit({ type: "diagnosis", application, diagnosis });
    return diagnosis;
  };
  const watched = { namespace, name, intervalMs, outside, signal: watching.signal, onTrouble, hasEnded };
  try {
    for await (const state of followDriver(client, watched)) {
      // This is another pod with another log.
      if (last !== undefined && last.uid !== state.uid) {
        await log.end(!hasEnded(last));
        log.renew();
      }
      if (last === undefined || changed(last, state)) emit({ type: "state", application, state });
      const at = state.restart?.at;
      if (at !== undefined && last?.restart?.at === undefined)
        emit({ type: "notice", message: startedAgain(state, at) });
      last = state;
      const isStarted = hasStarted(state, driverContainer);
      if (isStarted) limits.started();
      if (logs && isStarted) log.begin();
      if (isOver(state, hasEnded)) break;
      if (isStarted && until === "started") return { phase: "Started" };
    }
    await log.end(last === undefined || !hasEnded(last));
  } catch (error) {
    await log.abort();
    const limit = limits.exceeded();
    if (limit === undefined || signal?.aborted === true) throw clusterError(error);
    return { phase: "TimedOut", limit, diagnosis: last === undefined ? NOT_SEEN : await diagnosisOf(last) };
  } finally {
    limits.stop();
    watching.release();
    examining.abort();
    await examined;
    examining.release();
    log.release();
  }
  return await outcomeOf(last, last && phaseOf(last), { application, emit, diagnosisOf });
}

/** How a driver ended; this is also sent as an event. */
async function outcomeOf(
  last: PodState | undefined,
  phase: string | undefined,
  { application, emit, diagnosisOf }: Ended,
): Promise<Outcome> {
  const { driverContainer } = application;
  const isDeleted = phase !== "Succeeded" && (phase !== "Failed" || last === undefined || isDeletedByUser(last));
  if (isDeleted) emit({ type: "notice", message: "the driver pod was deleted before the application came to its end" });
  emit({ type: "finished", application, state: last });
  if (last === undefined || isDeleted) return { phase: "Deleted" };
  if (phase === "Succeeded") {
    // A diagnosis is needed only if something keeps the pod.
    if (keptBy(last, driverContainer).length > 0) await diagnosisOf(last);
    return { phase: "Succeeded", exitCode: 0 };
  }
  return { phase: "Failed", ...endOf(last, driverContainer), diagnosis: await diagnosisOf(last) };
}

interface Ended extends Pick<Following, "emit"> {
  readonly application: Application;
  readonly diagnosisOf: (driver: PodState) => Promise<Diagnosis>;
}

/** The diagnosis of a driver that could not be examined. */
const NOT_SEEN: Diagnosis = { state: "not known", findings: [], executors: undefined };

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
