import { isDeepStrictEqual } from "node:util";
import { harmlessText } from "@kindling/core-spec";
import type { SparkConnect, SparkConnectStatus } from "@kindling/spark-application";
import type { ApplicationEvent } from "../application-states/application-event.ts";
import { timeText } from "../application-states/status-changes.ts";
import { isOtherSpec } from "../connect-server/server-spec.ts";
import { serverPodName, serverServiceName } from "../connect-server/connect-names.ts";
import type { ConnectServerRecord } from "../pods/connect-pod-record.ts";
import { conditionOf, isStopped, SERVER_READY, SERVER_STOPPED, withCondition } from "./connect-conditions.ts";
import { connectEvents, stoppedEvent } from "./connect-events.ts";
import { type ConnectTimers, IDLE_TIMEOUT_ANNOTATION, TTL_ANNOTATION } from "./connect-timers.ts";
import { idleness, type Idleness } from "./idleness.ts";
import type { ServerActivity } from "./server-activity.ts";
import { hasEnded, serverState, type ServerState } from "./server-state.ts";

/** All that a decision about a Connect server depends on. */
export interface ConnectView {
  readonly connect: SparkConnect;
  /** Why no server may be made: faults from reading the object, and from `validateConnect`. */
  readonly faults: readonly string[];
  readonly timers: ConnectTimers;
  /** The pod of the server that this object owns. */
  readonly server: ConnectServerRecord | undefined;
  /** The phases of the executors' pods. */
  readonly executorPhases: readonly string[];
  readonly activity: ServerActivity;
  /** Why the objects of the server could not be made just now, for a reason that will not pass by itself. */
  readonly refusal?: string | undefined;
  readonly nowMs: number;
}

/** What is done in the cluster. Each action may be repeated without harm. */
export type ConnectAction =
  | { readonly kind: "make-server" }
  | { readonly kind: "delete-server"; readonly server: ConnectServerRecord; readonly why: string }
  | { readonly kind: "delete-connect"; readonly ttl: string };

export interface ConnectDecision {
  readonly action: ConnectAction | undefined;
  /** What the status has to be; the stored one if nothing is to be written. */
  readonly status: SparkConnectStatus;
  /** Recorded once the status is written. */
  readonly events: readonly ApplicationEvent[];
  /** Whether the decision needs to know if the server is idle. */
  readonly asksActivity: boolean;
  /** When to check again even if nothing happens, in milliseconds since the epoch. */
  readonly lookAgainAtMs: number | undefined;
}

/**
 * What to do about a Connect server: a total function of what is stored and seen. Names, states and fields are stock's
 * (kubeflow/spark-operator 38082f33, internal/controller/sparkconnect/reconciler.go). It differs from stock where users
 * reported faults: a changed spec makes another server (issue 2784), a pod that has ended for good is replaced, a refusal is
 * in the status (2790), and a server may be stopped and the object deleted after a time (2927; kubeflow/sdk, issue 800).
 */
export function decideConnect(view: ConnectView): ConnectDecision {
  const { connect, timers, server, nowMs } = view;
  const { metadata } = connect;
  const wait = { status: connect.status, events: [], asksActivity: false, lookAgainAtMs: undefined };
  // The objects that it owns are deleted with it.
  if (metadata.deletionTimestamp !== undefined) return { ...wait, action: undefined };
  const expiresAtMs = expiry(connect, timers);
  if (expiresAtMs !== undefined && expiresAtMs <= nowMs)
    return { ...wait, action: { kind: "delete-connect", ttl: metadata.annotations[TTL_ANNOTATION] ?? "" } };
  const wasStopped = isStopped(connect, timers.idleTimeoutMs);
  const idle = wasStopped ? NOT_IDLE : idleness(server, timers.idleTimeoutMs, view);
  const stops = idle.isOver ? stopText(connect) : undefined;
  const status = statusOf(view, { wasStopped, stops });
  return {
    // The status says that the server is stopped before it is. Otherwise another operator might make it again.
    action: stops === undefined ? actionOf(view, wasStopped) : undefined,
    ...status,
    asksActivity: idle.asks,
    lookAgainAtMs: earliest(expiresAtMs, idle.lookAgainAtMs),
  };
}

const NOT_IDLE: Idleness = { isOver: false, asks: false, lookAgainAtMs: undefined };

function expiry({ metadata }: SparkConnect, { ttlMs }: ConnectTimers): number | undefined {
  const created = Date.parse(metadata.creationTimestamp);
  return ttlMs === undefined || Number.isNaN(created) ? undefined : created + ttlMs;
}

function stopText({ metadata }: SparkConnect): string {
  const timeout = metadata.annotations[IDLE_TIMEOUT_ANNOTATION] ?? "";
  return harmlessText(
    `the server was stopped, because nothing ran for ${timeout}; ` +
      `change the spec or remove the annotation ${IDLE_TIMEOUT_ANNOTATION} to start it again`,
  );
}

function earliest(...times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function actionOf({ connect, faults, server }: ConnectView, isStoppedNow: boolean): ConnectAction | undefined {
  // A server that goes has to be gone before the next one of its name.
  if (server?.isDeleting === true) return undefined;
  if (server === undefined) return isStoppedNow || faults.length > 0 ? undefined : { kind: "make-server" };
  const remove = (why: string): ConnectAction => ({ kind: "delete-server", server, why });
  if (isStoppedNow) return remove("it was idle for the time of its annotation");
  // Stock's webhook refuses such a change, and the server goes on.
  if (faults.length > 0) return undefined;
  if (isForOtherSpec(connect, server)) return remove("the spec has changed");
  return hasEnded(server) && server.isRestarted ? remove("it has ended, and another one takes its place") : undefined;
}

/** A pod of stock's operator does not say for which spec it was made: it counts as made for the spec that was seen first. */
function isForOtherSpec(connect: SparkConnect, { specMark }: ConnectServerRecord): boolean {
  if (specMark !== undefined) return isOtherSpec(specMark, connect);
  const seen = conditionOf(connect.status, SERVER_READY)?.observedGeneration;
  return seen !== undefined && seen !== connect.metadata.generation;
}

interface Stopping {
  readonly wasStopped: boolean;
  /** Why it is stopped now. */
  readonly stops: string | undefined;
}

function statusOf(view: ConnectView, stopping: Stopping): Pick<ConnectDecision, "status" | "events"> {
  const { connect, server, executorPhases, nowMs } = view;
  const { metadata, status: stored } = connect;
  const { state, why } = stateOf(view, stopping);
  const serviceName = serverServiceName(connect);
  const wanted: SparkConnectStatus = {
    ...stored,
    conditions: conditionsOf(view, stopping, { state, why }),
    state,
    server: {
      podName: serverPodName(connect),
      ...(server !== undefined && server.ip !== "" && { podIp: server.ip }),
      serviceName,
    },
    executors: executorPhases.length === 0 ? undefined : counted(executorPhases),
    startTime: stored.startTime ?? timeText(nowMs),
  };
  if (isDeepStrictEqual(withoutUnset(wanted), withoutUnset(stored))) return { status: stored, events: [] };
  const events =
    stopping.stops === undefined
      ? connectEvents(connect, { state, why, serviceName })
      : [stoppedEvent(metadata.name, stopping.stops)];
  return { status: { ...wanted, lastUpdateTime: timeText(nowMs) }, events };
}

function stateOf({ connect, faults, server, refusal }: ConnectView, { wasStopped, stops }: Stopping): ServerState {
  const stopText = stops ?? (wasStopped ? conditionOf(connect.status, SERVER_STOPPED)?.message : undefined);
  if (stopText !== undefined) return { state: "NotReady", why: stopText };
  const reason = refusal ?? (server === undefined && faults.length > 0 ? faults.join("; ") : undefined);
  if (reason !== undefined) return { state: "Failed", why: harmlessText(`Server pod is not ready: ${reason}`) };
  const { state, why } = serverState(server, connect.status.state ?? "");
  return { state, why: harmlessText(why) };
}

function conditionsOf(
  { connect, server, nowMs }: ConnectView,
  { wasStopped, stops }: Stopping,
  { state, why }: ServerState,
): SparkConnectStatus["conditions"] {
  const { metadata, status } = connect;
  const isReady = state === "Ready";
  const former = conditionOf(status, SERVER_READY)?.observedGeneration;
  const isOld = server !== undefined && isForOtherSpec(connect, server);
  const seen = isOld ? former : metadata.generation;
  const ready = withCondition(
    status.conditions ?? [],
    {
      type: SERVER_READY,
      status: isReady ? "True" : "False",
      reason: isReady ? "ServerPodReady" : "ServerPodNotReady",
      message: why,
      ...(seen !== undefined && { observedGeneration: seen }),
    },
    nowMs,
  );
  if (stops !== undefined) {
    const stopped = { type: SERVER_STOPPED, status: "True", reason: "IdleTimeout", message: stops } as const;
    return withCondition(ready, { ...stopped, observedGeneration: metadata.generation }, nowMs);
  }
  if (wasStopped || conditionOf(status, SERVER_STOPPED)?.status !== "True") return ready;
  const started = { type: SERVER_STOPPED, status: "False", reason: "ServerStarted", message: "" } as const;
  return withCondition(ready, { ...started, observedGeneration: metadata.generation }, nowMs);
}

function counted(phases: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const phase of phases.map((one) => one.toLowerCase()).toSorted()) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}

/** The same without members that are undefined, as JSON has it; so two statuses can be compared. */
function withoutUnset(status: SparkConnectStatus): unknown {
  return JSON.parse(JSON.stringify(status));
}
