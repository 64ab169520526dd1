import { againAfter, againLater, done, type EventRecorder, keyOf, type ReconcileResult } from "@kindling/controller";
import type { Log } from "@kindling/service";
import type { SparkConnect } from "@kindling/spark-application";
import { readSparkConnect } from "@kindling/spark-application/read";
import { normal, warning } from "../../application-states/application-event.ts";
import type { ConnectCaches } from "../../caches/connect-caches.ts";
import type { ObjectRecord } from "../../caches/object-record.ts";
import type { UiPlace } from "../../connect-activity/ask-server.ts";
import { serverServiceName } from "../../connect-server/connect-names.ts";
import { serverPorts } from "../../connect-server/server-ports.ts";
import { expiredEvent } from "../../connect-states/connect-events.ts";
import { connectTimers } from "../../connect-states/connect-timers.ts";
import {
  type ConnectAction,
  type ConnectDecision,
  type ConnectView,
  decideConnect,
} from "../../connect-states/decide-connect.ts";
import type { ServerActivity } from "../../connect-states/server-activity.ts";
import { validateConnect } from "../../validation/validate-connect.ts";
import type { OperatorAudit } from "../audit-operator.ts";
import { connectNotices } from "./connect-notices.ts";
import { refusalText, type ServerObjects } from "./server-objects.ts";
import { type ConnectWriter, deleteConnect, refreshConnect, storeConnectStatus } from "./store-connect-status.ts";

export interface ConnectReconciler extends ConnectWriter {
  readonly caches: ConnectCaches;
  readonly objects: ServerObjects;
  readonly events: EventRecorder;
  readonly audit: OperatorAudit;
  readonly log: Log;
  /** Asks the server of this pod. Never rejects. */
  readonly ask: (podUid: string, place: UiPlace) => Promise<ServerActivity>;
  /** The notices of an object that were not told yet. */
  readonly untold: (uid: string, notices: readonly string[]) => readonly string[];
  readonly now: () => number;
}

/** The longest wait without a look: timers of Node are shorter than some times to live. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Checks a Connect server, and does everything that is due. */
export async function reconcileConnect(reconciler: ConnectReconciler, key: string): Promise<ReconcileResult> {
  const { connects, now } = reconciler;
  const record = connects.get(key);
  if (record === undefined) return done;
  const read = readSparkConnect(record.object);
  const { connect } = read;
  const before = viewOf(reconciler, connect, read.faults);
  const activity = await activityOf(reconciler, before);
  const decision = decideConnect({ ...before, activity });
  if (decision.action !== undefined && !(await isCurrent(reconciler, record))) return done;
  if (decision.action?.kind === "delete-connect") return await expire(reconciler, record, connect, decision.action.ttl);
  const made = await makeDue(reconciler, before, decision.action);
  const after = { ...viewOf(reconciler, connect, read.faults), activity, refusal: made.refusal };
  const { status, events } = decideConnect(after);
  tellNotices(reconciler, after);
  if (status !== connect.status) {
    if (!(await storeConnectStatus(reconciler, record, status))) return againLater;
    reconciler.events.record(connect, events);
    logState(reconciler, connect, status.state);
  }
  return made.refusal !== undefined || made.isBlocked ? againLater : whenDue(decision, now());
}

function whenDue({ lookAgainAtMs }: ConnectDecision, nowMs: number): ReconcileResult {
  if (lookAgainAtMs === undefined) return done;
  return againAfter(Math.min(Math.max(0, lookAgainAtMs - nowMs), LONGEST_WAIT_MS));
}

function viewOf({ caches, now }: ConnectReconciler, connect: SparkConnect, faults: readonly string[]): ConnectView {
  const { metadata } = connect;
  const pods = caches.pods.byIndex("connect", keyOf(metadata));
  return {
    connect,
    faults: [...faults.filter((fault) => fault.startsWith("spec")), ...validateConnect(connect)],
    timers: connectTimers(metadata.annotations),
    server: pods.filter((pod) => pod.role === "server").find(({ ownerUids }) => ownerUids.includes(metadata.uid)),
    executorPhases: pods.filter(({ role }) => role === "executor").map(({ phase }) => phase),
    activity: { kind: "not-asked" },
    nowMs: now(),
  };
}

/** Asks the server whether it is idle, if that matters now. */
async function activityOf({ ask }: ConnectReconciler, view: ConnectView): Promise<ServerActivity> {
  const { server, connect } = view;
  if (server === undefined || !decideConnect(view).asksActivity) return view.activity;
  const { ui, isUiPlain } = serverPorts(connect);
  if (!isUiPlain) return { kind: "unknown", why: "sparkConf gives Spark's UI TLS, no known port, or turns it off" };
  return await ask(server.uid, { ip: server.ip, port: ui });
}

/** A watch may be behind, or this process was paused for a while: another replica may have done this long ago. */
async function isCurrent(reconciler: ConnectReconciler, record: ObjectRecord): Promise<boolean> {
  return (await refreshConnect(reconciler, record))?.resourceVersion === record.resourceVersion;
}

async function expire(
  reconciler: ConnectReconciler,
  record: ObjectRecord,
  connect: SparkConnect,
  ttl: string,
): Promise<ReconcileResult> {
  await deleteConnect(reconciler, record);
  reconciler.events.record(connect, [expiredEvent(connect.metadata.name, ttl)]);
  reconciler.audit.deleted("sparkconnects", connect.metadata, "its time to live is over");
  return done;
}

/** What came of an action. */
interface Made {
  /** Why an object could not be made, and will not be by itself. */
  readonly refusal: string | undefined;
  /** Whether the pod of an earlier SparkConnect has to go first. */
  readonly isBlocked: boolean;
}

/** Deletes the server, or makes what is missing, in stock's order: the ConfigMap, the pod, the service. */
async function makeDue(
  reconciler: ConnectReconciler,
  { connect, server, faults }: ConnectView,
  action: Exclude<ConnectAction, { kind: "delete-connect" }> | undefined,
): Promise<Made> {
  const { objects, caches } = reconciler;
  if (action?.kind === "delete-server") {
    await objects.deletePod(action.server);
    const { name } = action.server;
    reconciler.events.record(connect, [normal("SparkConnectServerDeleted", `pod ${name} is deleted: ${action.why}`)]);
    reconciler.audit.deleted("pods", { ...connect.metadata, name }, action.why);
    return { refusal: undefined, isBlocked: false };
  }
  const makesPod = action?.kind === "make-server";
  const isWanted = makesPod || (server !== undefined && !server.isDeleting);
  if (!isWanted || faults.length > 0) return { refusal: undefined, isBlocked: false };
  try {
    await objects.ensureTemplate(connect, makesPod || server?.readySinceMs === undefined);
    const pod = makesPod ? await objects.makePod(connect) : server;
    if (makesPod && pod !== undefined) caches.pods.note(pod);
    await objects.ensureService(connect, !hasService(caches, connect));
    return { refusal: undefined, isBlocked: pod === undefined };
  } catch (error) {
    return { refusal: refusalText(error), isBlocked: false };
  }
}

function hasService({ services }: ConnectCaches, connect: SparkConnect): boolean {
  const { namespace } = connect.metadata;
  return services.get(keyOf({ namespace, name: serverServiceName(connect) })) !== undefined;
}

function tellNotices({ events, untold }: ConnectReconciler, view: ConnectView): void {
  const { connect } = view;
  const notices = untold(connect.metadata.uid, connectNotices(view));
  events.record(
    connect,
    notices.map((notice) => warning("SparkConnectNotice", notice)),
  );
}

function logState({ log }: ConnectReconciler, { metadata, status }: SparkConnect, state = ""): void {
  const before = status.state ?? "";
  if (state === before) return;
  log.info("a Connect server has entered a state", {
    ...{ connect: keyOf(metadata), state, before },
  });
}
