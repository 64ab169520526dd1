import type { SparkConnect } from "@kindling/spark-application";
import { aSparkConnect } from "@kindling/spark-application/testing";
import { serverSpecMark } from "../../src/connect-server/server-spec.ts";
import { connectTimers } from "../../src/connect-states/connect-timers.ts";
import type { ConnectView } from "../../src/connect-states/decide-connect.ts";
import type { ConnectServerRecord } from "../../src/pods/connect-pod-record.ts";

export const NOW = Date.parse("2026-03-01T12:00:00Z");
export const MINUTE = 60_000;

/** The pod of a server that has been ready for an hour. */
export function server(over: Partial<ConnectServerRecord> = {}): ConnectServerRecord {
  return {
    ...{ namespace: "spark-jobs", name: "notebook-server", uid: "uid-of-pod", resourceVersion: "20" },
    ...{ connectName: "notebook", role: "server", ownerUids: ["uid-of-notebook"], isDeleting: false },
    ...{ phase: "Running", readySinceMs: NOW - 60 * MINUTE, ip: "10.1.2.3", isRestarted: true, restarts: 0 },
    ...{ waitsFor: "", trouble: "", specMark: serverSpecMark(aSparkConnect()) },
    ...over,
  };
}

/** A pod that is not ready. */
export function starting(over: Partial<ConnectServerRecord> = {}): ConnectServerRecord {
  return server({ phase: "Pending", readySinceMs: undefined, ip: "", ...over });
}

export function view(connect: SparkConnect, over: Partial<ConnectView> = {}): ConnectView {
  return {
    connect,
    faults: [],
    timers: connectTimers(connect.metadata.annotations),
    server: undefined,
    executorPhases: [],
    activity: { kind: "not-asked" },
    nowMs: NOW,
    ...over,
  };
}
