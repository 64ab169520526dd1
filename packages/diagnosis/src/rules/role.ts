import type { PodEvent } from "../evidence/pod-event.ts";
import type { PodState } from "../evidence/pod-state.ts";
import type { Finding, Role } from "../finding.ts";

/** One pod of an application, with the events about it. */
export interface ExaminedPod {
  readonly role: Role;
  readonly pod: PodState;
  /** In order. */
  readonly events: readonly PodEvent[];
  /** Whether the events could be read: no events is different from unknown events. */
  readonly areEventsKnown: boolean;
}

/** What a rule says; the pods are added to it. */
export type Said = Pick<Finding, "cause" | "word" | "summary"> &
  Partial<Pick<Finding, "container" | "details" | "advice" | "times" | "since">>;

export function findingOf(
  { role, pod }: Pick<ExaminedPod, "role" | "pod">,
  severity: Finding["severity"],
  said: Said,
): Finding {
  return {
    severity,
    role,
    pods: [pod.name],
    container: undefined,
    details: [],
    advice: undefined,
    times: 1,
    since: undefined,
    ...said,
  };
}
