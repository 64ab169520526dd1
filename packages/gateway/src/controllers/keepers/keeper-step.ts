import type { Json, KubeObject } from "@kindling/kube-objects";
import { objectAt, objectsAt, textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { containerState } from "../../spark/container-state.ts";
import { executorContainer } from "../../spark/executor-container.ts";
import { hasSparkEnded, isBecomingKeeper, isKeeper } from "../../spark/keeper.ts";
import { isLeftBehind, takesRoom } from "../../spark/spark-pod.ts";

/** What an ended executor's container still asks for: a resize can make a request small, and cannot remove it. */
export const KEPT_REQUEST: Readonly<Record<string, string>> = { cpu: "1m", memory: "4Mi" };

/** After this time it is shrunk even if its driver keeps it (`spark.kubernetes.executor.deleteOnTermination=false`). */
const JUDGED_MS = 30_000;

/** What has to happen to the pod of an executor that has ended. */
export type KeeperStep =
  | { readonly kind: "none" }
  | { readonly kind: "delete"; readonly why: string }
  /** Its executor's resources are to be given back. */
  | { readonly kind: "shrink" }
  /** It has kept its node long enough: autoscalers may take the node away. */
  | { readonly kind: "unprotect" }
  /** There is something to do at a later time, in milliseconds since the epoch. */
  | { readonly kind: "wait"; readonly until: number };

export interface KeeperFacts {
  /** In milliseconds since the epoch. */
  readonly now: number;
  /** Whether its driver runs. */
  readonly hasDriver: boolean;
  /** Whether the cluster has refused to resize it. */
  readonly isUnresizable: boolean;
  /** How long it keeps its node, in milliseconds. */
  readonly nodeMs: number;
  /** The annotations that keep an autoscaler from taking its node. */
  readonly protecting: readonly string[];
}

/** Decides the next step for the pod of an executor that has ended. */
export function keeperStep(pod: KubeObject, facts: KeeperFacts): KeeperStep {
  if (pod.metadata.deletionTimestamp !== undefined) return { kind: "none" };
  if (isKeeper(pod) && !takesRoom(pod)) return { kind: "delete", why: whyEnded(pod) };
  if (!isLeftBehind(pod)) return { kind: "none" };
  if (!facts.hasDriver) return { kind: "delete", why: "its application has ended" };
  if (!hasSparkEnded(pod)) return { kind: "none" };
  if (!facts.isUnresizable && !isShrunk(pod)) return shrinkOrWait(pod, facts.now);
  const { annotations = {} } = pod.metadata;
  if (!facts.protecting.some((name) => annotations[name] !== undefined)) return { kind: "none" };
  const until = (endOfExecutor(pod) ?? facts.now) + facts.nodeMs;
  return until <= facts.now ? { kind: "unprotect" } : { kind: "wait", until };
}

/**
 * Its size says how much memory was too little, if it ended for that. So it keeps its size until its driver has let it go, which
 * means that its end was judged: also by the next gateway, if this one is killed meanwhile.
 */
function shrinkOrWait(pod: KubeObject, now: number): KeeperStep {
  if (isKeeper(pod) || isBecomingKeeper(pod)) return { kind: "shrink" };
  const until = (endOfExecutor(pod) ?? now) + JUDGED_MS;
  return until <= now ? { kind: "shrink" } : { kind: "wait", until };
}

/** When its executor ended, in milliseconds since the epoch. */
export function endOfExecutor(pod: KubeObject): number | undefined {
  return timeOf(textAt(containerState(pod, executorContainer(pod)), "terminated", "finishedAt"));
}

/** The resources of an ended executor's container as they have to be: what it names, as small as possible. */
export function shrunkResources(
  pod: KubeObject,
): Readonly<Record<"requests" | "limits", Readonly<Record<string, string>>>> {
  const resources = executorResources(pod);
  const small = (kind: string): Record<string, string> =>
    Object.fromEntries(Object.entries(KEPT_REQUEST).filter(([amount]) => amount in objectAt(resources, kind)));
  return { requests: small("requests"), limits: small("limits") };
}

function isShrunk(pod: KubeObject): boolean {
  const requests = objectAt(executorResources(pod), "requests");
  return Object.entries(shrunkResources(pod).requests).every(([amount, small]) => requests[amount] === small);
}

function executorResources(pod: KubeObject): Json | undefined {
  const name = executorContainer(pod);
  return objectsAt(pod, "spec", "containers").find((one) => one["name"] === name)?.["resources"];
}

function whyEnded(pod: KubeObject): string {
  return textAt(pod, "status", "phase") === "Succeeded"
    ? "none of its shuffle files is wanted any more"
    : "its shuffle files cannot be served any more";
}
