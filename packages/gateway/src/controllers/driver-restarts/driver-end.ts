import { isObject, type JsonObject, type KubeObject } from "@kindling/kube-objects";
import { harmlessText } from "@kindling/core-spec";
import { trueCondition } from "../../json/conditions.ts";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { driverPhase, isOver, sparkContainer } from "../../spark/driver-phase.ts";

/** How a driver pod came to its end. */
export interface DriverEnd {
  /** `deleted`: by somebody. If the cluster removes a pod, it says so in a condition, and this is not `deleted`. */
  readonly how: "succeeded" | "failed" | "deleted";
  /** A line for people. */
  readonly words: string;
  /** Milliseconds since the epoch, by the clock of the pod's node. */
  readonly at: number;
  /** How long its containers ran, in milliseconds. */
  readonly ranMs: number;
}

/** After a forced deletion, the node may still be stopping the containers. */
const FORCED_PATIENCE_MS = 30_000;
const LONGEST_WORDS = 500;

/**
 * How a driver pod has ended; undefined while Spark may still run in it. A pod that is being deleted runs until its node
 * reports that the containers have ended, or until the control plane does so for a lost node. Before that, a second driver
 * could write at the same time as the first.
 */
export function driverEnd(pod: KubeObject, now: number): DriverEnd | undefined {
  if (!isOver(pod) && !isRemovedByForce(pod, now)) return undefined;
  const { deletionTimestamp } = pod.metadata;
  const disruption = disruptionOf(pod);
  const isDeleted = deletionTimestamp !== undefined && disruption === undefined;
  const container = terminated(pod);
  const succeeded = textAt(pod, "status", "phase") === "Succeeded" || hasDoneItsWork(pod, disruption);
  const at = timeAt(container, "finishedAt") ?? timeAt(disruption, "lastTransitionTime") ?? lastNews(pod);
  const startedAt = timeAt(container, "startedAt") ?? timeAt(objectAt(pod, "status"), "startTime") ?? at;
  return {
    how: isDeleted ? "deleted" : succeeded ? "succeeded" : "failed",
    words: harmlessText(wordsOf(pod, isDeleted, disruption, container), LONGEST_WORDS),
    at,
    ranMs: Math.max(0, at - startedAt),
  };
}

/** A failed sidecar does not matter if Spark has succeeded. But if the whole pod was ended, Spark may not have finished. */
function hasDoneItsWork(pod: KubeObject, disruption: JsonObject | undefined): boolean {
  const isOfPod = disruption !== undefined || textAt(pod, "status", "reason") !== undefined;
  return !isOfPod && driverPhase(pod) === "Succeeded";
}

/** Whether the pod never had a node, or was deleted without grace: then nobody reports the end of its containers. */
function isRemovedByForce(pod: KubeObject, now: number): boolean {
  const deletedAt = timeAt(pod.metadata, "deletionTimestamp");
  if (deletedAt === undefined) return false;
  if (textAt(pod, "spec", "nodeName") === undefined) return true;
  return pod.metadata.deletionGracePeriodSeconds === 0 && now - deletedAt > FORCED_PATIENCE_MS;
}

/**
 * Whether a pod is deleted in the foreground (all that it owns goes first), or with its dependents orphaned. In both cases it
 * cannot be restarted.
 */
export function isDissolved({ metadata: { deletionTimestamp, finalizers = [] } }: KubeObject): boolean {
  return (
    deletionTimestamp !== undefined && finalizers.some((name) => name === "foregroundDeletion" || name === "orphan")
  );
}

/** The condition by which the cluster says that it removes a pod. */
export function disruptionOf(pod: KubeObject): JsonObject | undefined {
  return trueCondition(pod, "DisruptionTarget");
}

/** How Spark's container ended; if that is not known, the container that failed. */
function terminated(pod: KubeObject): JsonObject {
  const ended = objectsAt(pod, "status", "containerStatuses").filter((one) =>
    isObject(objectAt(one, "state")["terminated"]),
  );
  const spark = sparkContainer(pod);
  const chosen =
    ended.find((one) => one["name"] === spark?.["name"]) ??
    ended.find((one) => objectAt(one, "state", "terminated")["exitCode"] !== 0) ??
    ended[0];
  return objectAt(chosen, "state", "terminated");
}

function wordsOf(
  pod: KubeObject,
  isDeleted: boolean,
  disruption: JsonObject | undefined,
  container: JsonObject,
): string {
  if (isDeleted) return "the pod was deleted";
  const [reason, message] = [textAt(pod, "status", "reason"), textAt(pod, "status", "message")];
  if (reason !== undefined) return message === undefined ? reason : `${reason}: ${message}`;
  if (disruption !== undefined) {
    return [textAt(disruption, "reason"), textAt(disruption, "message")]
      .filter((text) => text !== undefined)
      .join(": ");
  }
  const { exitCode } = container;
  if (typeof exitCode !== "number") return "the pod has failed";
  const why = textAt(container, "reason");
  return why === undefined ? `exit code ${exitCode}` : `exit code ${exitCode}: ${why}`;
}

/** The time of the last record about a pod whose end has no time. */
function lastNews(pod: KubeObject): number {
  const times = objectsAt(pod, "status", "conditions").map((condition) => timeAt(condition, "lastTransitionTime"));
  const all = [...times, timeAt(pod.metadata, "deletionTimestamp"), timeAt(pod.metadata, "creationTimestamp")];
  return Math.max(0, ...all.filter((time) => time !== undefined));
}

function timeAt(value: object | undefined, name: string): number | undefined {
  const time = Date.parse(textAt(value, name) ?? "");
  return Number.isNaN(time) ? undefined : time;
}
