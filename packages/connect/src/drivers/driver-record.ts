import {
  CONNECT_KEY_LABEL as KEY_LABEL,
  CONNECT_PROFILE_LABEL as PROFILE_LABEL,
  CONNECT_SERVICE_LABEL as SERVICE_LABEL,
  CONNECT_USER_ANNOTATION as USER_ANNOTATION,
  CONNECT_USER_LABEL as USER_LABEL,
} from "@kindling/core-spec";
import { applicationPhase, diagnose, podState } from "@kindling/diagnosis";
import type { Pod } from "kubernetes-types/core/v1.js";

export { KEY_LABEL, PROFILE_LABEL, SERVICE_LABEL, USER_ANNOTATION, USER_LABEL };

/** Where in the pod the server listens. */
export const PORT_ANNOTATION = "connect.kindling/port";

/** What is kept of a driver pod that this service made. */
export interface DriverRecord {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly profile: string;
  readonly key: string | undefined;
  /** The hash of the user's name. */
  readonly userKey: string | undefined;
  readonly user: string | undefined;
  readonly ip: string | undefined;
  readonly port: number;
  readonly phase: "pending" | "running" | "ended" | "deleting";
  /** How it ended, in a few words for people: `OOMKilled`. */
  readonly end: string | undefined;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

export function driverRecord(pod: Pod): DriverRecord | undefined {
  const { metadata = {}, status = {} } = pod;
  const { labels = {}, annotations = {}, creationTimestamp = "" } = metadata;
  const profile = labels[PROFILE_LABEL];
  // Executors inherit no such label, but a template may have it.
  if (profile === undefined || labels["spark-role"] === "executor") return undefined;
  return {
    namespace: metadata.namespace ?? "",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    resourceVersion: metadata.resourceVersion ?? "",
    profile,
    key: labels[KEY_LABEL],
    userKey: labels[USER_LABEL],
    user: annotations[USER_ANNOTATION],
    ip: status.podIP,
    port: Number(annotations[PORT_ANNOTATION] ?? 0),
    ...lifeOf(pod),
    created: Date.parse(creationTimestamp),
  };
}

function lifeOf(pod: Pod): Pick<DriverRecord, "phase" | "end"> {
  if (pod.metadata?.deletionTimestamp !== undefined) return { phase: "deleting", end: undefined };
  const driver = podState(pod);
  const phase = applicationPhase(driver);
  if (phase === "Running") return { phase: "running", end: undefined };
  if (phase !== "Succeeded" && phase !== "Failed") return { phase: "pending", end: undefined };
  const unknown = { driverContainer: undefined, executors: undefined, events: undefined, log: undefined };
  // An end does not depend on the time.
  return { phase: "ended", end: diagnose({ driver, ...unknown }, 0).state };
}

/** Whether a driver takes no calls any more. */
export function isGone({ phase }: Pick<DriverRecord, "phase">): boolean {
  return phase === "ended" || phase === "deleting";
}
