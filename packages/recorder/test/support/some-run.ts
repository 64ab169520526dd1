import type { Run } from "@kindling/recorder-client";

/** A run that has ended well. */
export function someRun(changes: Partial<Run> = {}): Run {
  return {
    namespace: "etl",
    day: "2026-11-21",
    driver: "daily-driver",
    uid: "uid-1",
    id: "spark-1",
    application: "spark-1",
    name: "daily",
    attempt: 1,
    state: "succeeded",
    started: Date.parse("2026-11-21T10:00:00Z"),
    ended: Date.parse("2026-11-21T10:10:00Z"),
    labels: {},
    executors: 2,
    usage: [{ spot: false, coreSeconds: 1200, gibSeconds: 4800 }],
    bytes: 1000,
    ...changes,
  };
}
