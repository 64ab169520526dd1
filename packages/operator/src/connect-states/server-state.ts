import type { ConnectState } from "@kindling/spark-application";
import type { ConnectServerRecord } from "../pods/connect-pod-record.ts";

/** The state that a server's pod stands for, and why, for people. */
export interface ServerState {
  readonly state: Exclude<ConnectState, "">;
  readonly why: string;
}

const NOT_READY = "Server pod is not ready: ";
/** After as many ends without a pause, a server does not start by itself any more. */
const MOST_RESTARTS = 5;

/**
 * The state of a server. Stock knows only `Ready` and `NotReady`; the other two are among its names. A server that has not
 * been ready yet is `Provisioning`. One that does not come up without a person is `Failed` (kubeflow/spark-operator, issue
 * 2927): its container ends again and again, or its pod has ended for good.
 *
 * @param before the state that is stored
 */
export function serverState(server: ConnectServerRecord | undefined, before: ConnectState): ServerState {
  const starting = before === "Ready" || before === "NotReady" ? "NotReady" : "Provisioning";
  if (server === undefined || server.isDeleting) return { state: starting, why: `${NOT_READY}there is none` };
  if (server.readySinceMs !== undefined) return { state: "Ready", why: "Server pod is ready" };
  const why = NOT_READY + (server.trouble || "it starts");
  return { state: isBroken(server, before) ? "Failed" : starting, why };
}

function isBroken(server: ConnectServerRecord, before: ConnectState): boolean {
  if (server.waitsFor === "InvalidImageName") return true;
  // While the next try runs, nothing is better yet.
  const failsAgain = server.waitsFor === "CrashLoopBackOff" || before === "Failed";
  return (hasEnded(server) && !server.isRestarted) || (failsAgain && server.restarts >= MOST_RESTARTS);
}

/** Whether all containers of the pod have ended and Kubernetes starts none of them again: after an eviction, for example. */
export function hasEnded({ phase }: ConnectServerRecord): boolean {
  return phase === "Failed" || phase === "Succeeded";
}
