import type { JsonObject, KubeObject } from "@kindling/kube-objects";
import { findCondition, trueCondition } from "../../json/conditions.ts";
import { objectAt, objectsAt, textAt, textsOf } from "../../json/fields.ts";
import { owningPods, type PodRef } from "../../spark/spark-pod.ts";

/** Label of a Workload: the uid of its application's driver. */
export const DRIVER_UID_LABEL = "scheduler.kindling/driver-uid";
/** Label of a Workload: `core` or `surplus`. */
export const PART_LABEL = "scheduler.kindling/part";
/** Label of a Workload: the resource profile of its executors. */
export const PROFILE_LABEL = "scheduler.kindling/resource-profile";
/** The names of the pod sets. */
export const DRIVER_SET = "driver";
export const EXECUTORS_SET = "executors";

/**
 * A Workload of Kueue for an application. `core`: the driver with its minimum executors. `surplus`: executors beyond these, all
 * with the same resource profile. A Workload stands for a number of executors, not for certain ones.
 */
export interface Workload {
  readonly object: KubeObject;
  readonly driver: PodRef;
  readonly part: "core" | "surplus";
  readonly profile: string;
  /** How many executors it asks for, without those that were given back. */
  readonly executors: number;
  readonly state: WorkloadState;
  /** Whether Kueue has been told that its pods are ready. */
  readonly isReady: boolean;
}

export type WorkloadState =
  /** It has no quota yet, or its admission checks are not complete. */
  | { readonly kind: "pending"; readonly message: string | undefined }
  | ({ readonly kind: "admitted" } & Admission)
  /** Kueue wants its quota back, and waits until its pods are gone. */
  | ({ readonly kind: "evicted"; readonly reason: string; readonly message: string } & Admission)
  | { readonly kind: "finished" };

export interface Admission {
  /** For how many executors there is quota. It may be fewer than were asked for. */
  readonly executors: number;
  readonly driverNodes: Assignment;
  readonly executorNodes: Assignment;
}

/** On which nodes the pods of a pod set have to run. */
export interface Assignment {
  /** The names of the ResourceFlavors, sorted. */
  readonly flavors: readonly string[];
  /** What admission checks add to the pods. */
  readonly updates: readonly JsonObject[];
}

/** Reads a Workload that the gateway has made; `undefined` for others. */
export function readWorkload(object: KubeObject): Workload | undefined {
  const { labels = {} } = object.metadata;
  const part = labels[PART_LABEL];
  const profile = labels[PROFILE_LABEL];
  const [driver] = owningPods(object);
  if ((part !== "core" && part !== "surplus") || profile === undefined || driver === undefined) return undefined;
  const asked = countOf(objectsAt(object, "spec", "podSets"));
  const givenBack = countOf(objectsAt(object, "status", "reclaimablePods"));
  const executors = Math.max(0, asked - givenBack);
  const isReady = trueCondition(object, "PodsReady") !== undefined;
  return { object, driver, part, profile, executors, state: stateOf(object, executors), isReady };
}

function stateOf(object: KubeObject, executors: number): WorkloadState {
  if (trueCondition(object, "Finished") !== undefined) return { kind: "finished" };
  const admission = objectAt(object, "status", "admission");
  const assignments = objectsAt(admission, "podSetAssignments");
  if (assignments.length === 0 || trueCondition(object, "QuotaReserved") === undefined) {
    return { kind: "pending", message: textAt(findCondition(object, "QuotaReserved"), "message") };
  }
  const updates = objectsAt(object, "status", "admissionChecks").flatMap((check) => objectsAt(check, "podSetUpdates"));
  const assigned = assignments.find(({ name }) => name === EXECUTORS_SET);
  const granted: Admission = {
    executors: assigned === undefined ? 0 : Math.min(executors, numberAt(assigned, "count") ?? executors),
    driverNodes: assignmentOf(DRIVER_SET, assignments, updates),
    executorNodes: assignmentOf(EXECUTORS_SET, assignments, updates),
  };
  const evicted = trueCondition(object, "Evicted");
  if (evicted !== undefined) {
    const { reason, message } = textsOf(evicted);
    return { kind: "evicted", reason: reason ?? "", message: message ?? "", ...granted };
  }
  if (trueCondition(object, "Admitted") === undefined) return { kind: "pending", message: checkMessage(object) };
  return { kind: "admitted", ...granted };
}

function assignmentOf(set: string, assignments: readonly JsonObject[], updates: readonly JsonObject[]): Assignment {
  const flavors = objectAt(
    assignments.find(({ name }) => name === set),
    "flavors",
  );
  return {
    flavors: [...new Set(Object.values(textsOf(flavors)))].toSorted(),
    updates: updates.filter(({ name }) => name === set),
  };
}

/** What an admission check that is not complete says. */
function checkMessage(object: KubeObject): string | undefined {
  const checks = objectsAt(object, "status", "admissionChecks").filter(({ state }) => state !== "Ready");
  const words = checks.map((check) => {
    const message = textAt(check, "message");
    const name = textAt(check, "name") ?? "";
    return `admission check ${name} is not ready${message === undefined ? "" : ` (${message})`}`;
  });
  return words.length === 0 ? undefined : words.join(", ");
}

/** The number of executors in a list of pod sets. */
function countOf(sets: readonly JsonObject[]): number {
  const set = sets.find(({ name }) => name === EXECUTORS_SET);
  return set === undefined ? 0 : (numberAt(set, "count") ?? 0);
}

function numberAt(object: JsonObject, name: string): number | undefined {
  const value = object[name];
  return typeof value === "number" ? value : undefined;
}
