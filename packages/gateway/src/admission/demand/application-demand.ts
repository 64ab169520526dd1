import type { KubeObject } from "@kindling/kube-objects";
import { SCHEDULER_ADMISSION_GATE } from "@kindling/core-spec";
import type {
  ApplicationDemand,
  Leave,
  Placement,
  PodShape,
  PresentExecutor,
  QueueRefusal,
  SpotRule,
} from "@kindling/admission";
import { textAt } from "../../json/fields.ts";
import { timeOf } from "../../json/time-of.ts";
import { gatesOf } from "../../spark/spark-pod.ts";
import { ADMITTED_AT } from "../../spark/marks.ts";
import type { Announcement } from "./announcement.ts";
import { withCapacityType } from "../spot/capacity-type.ts";
import { executorPod } from "./executor-pod.ts";

/** An executor that a driver has asked for, and how far it has come. */
export type RequestedExecutor =
  | { readonly kind: "waiting" | "admitted"; readonly name: string; readonly pod: KubeObject }
  | { readonly kind: "present"; readonly name: string; readonly pod: KubeObject };

export interface ApplicationFacts {
  readonly driver: KubeObject;
  readonly announcement: Announcement;
  readonly queue: string;
  /** The rule for spot nodes; undefined if there is none. */
  readonly spot: SpotRule | undefined;
  /** Set if the application's namespace may not use that queue. */
  readonly refusal: QueueRefusal | undefined;
  /** The priority that the application asks for, limited to the range of its queue. */
  readonly priority: number;
  /** Whether the driver's gate has been opened. The driver pod may not show it yet. */
  readonly isStarted: boolean;
  /** The executors that have not ended, in the order in which the driver asked for them. */
  readonly executors: readonly RequestedExecutor[];
  /** How many more executors wait. */
  readonly unlisted: number;
  /** Pods that are no executors any more, and stay for their shuffle files. */
  readonly keepers: readonly KubeObject[];
  /** Whether this executor was asked to leave. */
  readonly isLeaving: (pod: KubeObject) => boolean;
  /** How this executor can be taken away. */
  readonly leaveOf: (pod: KubeObject) => Leave;
  /** Whether all of its minimum executors were there at some time. */
  readonly wasComplete: boolean;
  /** Whether the application has taken so long to ask for its minimum executors that their room is no longer kept. */
  readonly hasLapsed: boolean;
  /** How far the application is moved back behind others, in milliseconds. */
  readonly behindMs: number;
  readonly shapeOf: (pod: KubeObject) => PodShape;
}

/** An application as the policy sees it; its id is the uid of the driver pod. */
export function applicationDemand(facts: ApplicationFacts): ApplicationDemand {
  const { driver, announcement, queue, refusal, priority, executors, shapeOf, isStarted } = facts;
  const { uid, namespace = "", creationTimestamp, annotations } = driver.metadata;
  const isGated = !isStarted && gatesOf(driver).includes(SCHEDULER_ADMISSION_GATE);
  const waiting = executors.filter(({ kind }) => kind === "waiting");
  const present = executors
    .filter(({ kind }) => kind !== "waiting")
    .map((executor) => presentExecutor(executor, facts));
  const [first] = executors;
  const pod = shapeOf(driverOf(facts, isGated));
  const expected = announcement.executor ?? { requests: pod.requests, limits: pod.limits };
  return {
    id: uid,
    namespace,
    queue,
    refusal,
    priority,
    since: timeOf(creationTimestamp) ?? 0,
    behindMs: facts.behindMs,
    driver: {
      pod,
      state: isGated ? "gated" : "started",
      promised: isStarted || annotations?.[ADMITTED_AT] !== undefined,
      node: textAt(driver, "spec", "nodeName"),
    },
    minimum: {
      count: announcement.minimumExecutors,
      pod: first === undefined ? { ...expected, placement: expectedPlacement(facts) } : shapeOf(first.pod),
      reached: isGated ? false : wasReached(facts, present.length),
    },
    waiting: waiting.map(({ name, pod: request }) => ({ id: name, pod: shapeOf(request) })),
    unlisted: facts.unlisted,
    inOrder: facts.spot?.fallback === false,
    present,
    keepers: facts.keepers.map((keeper) => ({ pod: shapeOf(keeper), node: textAt(keeper, "spec", "nodeName") })),
  };
}

/** The driver; before its gate is open, with the condition that it gets then. */
function driverOf({ driver, spot }: ApplicationFacts, isGated: boolean): KubeObject {
  return isGated && spot?.onDemand.includes("driver") === true ? withCapacityType(driver, "on-demand") : driver;
}

/** Before the driver asks, executors are expected on the nodes that are announced for them, or else where the driver may run. */
function expectedPlacement({ driver, announcement: { executorPlacement }, shapeOf }: ApplicationFacts): Placement {
  return shapeOf(executorPlacement === undefined ? driver : { ...driver, spec: executorPlacement }).placement;
}

function presentExecutor(
  { kind, name, pod }: RequestedExecutor,
  { shapeOf, isLeaving, leaveOf }: ApplicationFacts,
): PresentExecutor {
  const { node, isRunning, began, created, isBeingDeleted } = executorPod(pod);
  const known = kind === "admitted" ? "admitted" : isRunning ? "running" : "pending";
  const state = isLeaving(pod) || isBeingDeleted ? "leaving" : known;
  return { id: name, pod: shapeOf(pod), state, node, began, created, leave: leaveOf(pod) };
}

/**
 * Ids of executors only grow. So they tell a new gateway, too, how many executors there have been. Without this, a driver
 * that asks for fewer executors than announced (because its code says so) would have room kept for ever.
 */
function wasReached({ announcement, executors, wasComplete, hasLapsed }: ApplicationFacts, present: number): boolean {
  const { minimumExecutors } = announcement;
  if (wasComplete || present >= minimumExecutors) return true;
  return highestId(executors) >= minimumExecutors || hasLapsed;
}

/** The highest id of the executors that are in the cluster; 0 if there are none. */
export function highestId(executors: readonly RequestedExecutor[]): number {
  let most = 0;
  for (const { kind, pod } of executors) if (kind === "present") most = Math.max(most, executorPod(pod).id);
  return most;
}
