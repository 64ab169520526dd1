import { SPARK_APP_ID_LABEL, SPARK_APP_NAME_LABEL, SPARK_VERSION_LABEL } from "@kindling/core-spec";
import { applicationPhase, driverTermination, podState, type PodState } from "@kindling/diagnosis";
import type { Pod } from "kubernetes-types/core/v1.js";

/** The phases of a driver pod, and `Terminating` for one that is being ended. */
export const PHASES = ["Pending", "Running", "Succeeded", "Failed", "Unknown", "Terminating"] as const;

export type Phase = (typeof PHASES)[number];

/** The data that is kept of an application: only the shown parts of its driver pod. A service may have many thousands. */
export interface ApplicationRecord {
  /** `namespace:pod`, as in spark-submit and the commands of `kindling`. */
  readonly id: string;
  readonly namespace: string;
  readonly driverPod: string;
  readonly driverPodUid: string;
  readonly applicationId: string | undefined;
  /** The application's name as far as a label can hold it. */
  readonly name: string | undefined;
  readonly sparkVersion: string | undefined;
  /** The id under which it was submitted here, if it was. */
  readonly submissionId: string | undefined;
  readonly phase: Phase;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly node: string | undefined;
  /** RFC 3339, like the times below. */
  readonly created: string | undefined;
  readonly started: string | undefined;
  readonly finished: string | undefined;
  readonly exitCode: number | undefined;
}

/** The submission id of a driver pod that this service created. */
export const SUBMISSION_ID_LABEL = "submission.kindling/id";

/** Long texts in a pod are cut: the application's own report has the whole text. */
const LONGEST_MESSAGE = 256;

export function recordOf(pod: Pod): ApplicationRecord {
  return recordOfState(podState(pod));
}

export function recordOfState(state: PodState): ApplicationRecord {
  const { namespace, name, uid, labels, reason, message, node, created, started, deleting } = state;
  const phase = applicationPhase(state);
  // Until the application has ended, the end of another container does not matter.
  const ended = phase === "Running" || phase === "Pending" ? undefined : driverTermination(state, state.sparkContainer);
  return {
    id: `${namespace}:${name}`,
    namespace,
    driverPod: name,
    driverPodUid: uid,
    applicationId: labels[SPARK_APP_ID_LABEL],
    name: labels[SPARK_APP_NAME_LABEL],
    sparkVersion: labels[SPARK_VERSION_LABEL],
    submissionId: labels[SUBMISSION_ID_LABEL],
    // Sidecars that still run keep the pod, but not the application.
    phase: deleting ? "Terminating" : phaseOf(phase),
    reason: reason ?? ended?.reason ?? waitingReason(state),
    message: message?.slice(0, LONGEST_MESSAGE),
    node,
    created,
    started,
    finished: ended?.finishedAt,
    exitCode: ended?.exitCode,
  };
}

/** Any other text there says nothing about the application's state. */
function phaseOf(text: string): Phase {
  return PHASES.find((phase) => phase === text) ?? "Unknown";
}

function waitingReason({ containers }: PodState): string | undefined {
  const waiting = containers.find((container) => container.state === "waiting");
  return waiting?.state === "waiting" ? waiting.reason : undefined;
}

const FIELDS = ["driverPodUid", "phase", "reason", "message", "node", "started", "finished", "exitCode"] as const;

/** Whether two records of one application have the same content. */
export function isSame(a: ApplicationRecord, b: ApplicationRecord): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}

/** Whether the application has ended. */
export function hasEnded({ phase }: ApplicationRecord): boolean {
  return phase === "Succeeded" || phase === "Failed";
}
