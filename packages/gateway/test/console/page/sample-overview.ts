import type { ApplicationOverview, Overview, QueueOverview } from "@kindling/gateway-client";

const GI = 1024 ** 3;

/** An application of a queue, with these changes. */
export function anApplication(name: string, changes: Partial<ApplicationOverview> = {}): ApplicationOverview {
  return {
    namespace: "spark-jobs",
    id: `spark-${name}`,
    name,
    driver: { pod: `${name}-driver`, uiPort: 4040 },
    queue: "etl.daily",
    priority: 0,
    state: "Running",
    since: Date.parse("2026-03-01T08:00:00Z"),
    minimumExecutors: 1,
    executors: { waiting: 0, admitted: 0, pending: 0, running: 2, leaving: 0, keepers: 0 },
    virtualExecutors: [],
    used: { cpu: 3000, memory: 6 * GI, pods: 3 },
    waits: [],
    ...changes,
  };
}

export function aQueue(path: string, changes: Partial<QueueOverview> = {}): QueueOverview {
  return {
    path,
    parent: path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : "",
    weight: 1,
    guarantee: {},
    ceiling: {},
    used: { cpu: 3000, memory: 6 * GI },
    share: 0.1875,
    applications: { SchedulingGated: 0, Pending: 0, Running: 1 },
    waitingExecutors: 0,
    ...changes,
  };
}

/** A cluster in which one application runs, one wants more, and one is held back by its gate. */
export function anOverview(changes: Partial<Overview> = {}): Overview {
  return {
    at: Date.parse("2026-03-01T09:00:00Z"),
    capacity: {
      kind: "nodes",
      nodes: 2,
      total: { cpu: 16_000, memory: 64 * GI, pods: 220 },
      used: { cpu: 6000, memory: 12 * GI, pods: 6 },
      usedByOthers: { cpu: 900, memory: 2 * GI, pods: 20 },
    },
    queueFaults: [],
    queues: [
      aQueue("etl", {
        weight: 3,
        guarantee: { cpu: 4000, memory: 16 * GI },
        used: { cpu: 6000, memory: 12 * GI },
        share: 0.375,
        applications: { SchedulingGated: 0, Pending: 0, Running: 2 },
        waitingExecutors: 4,
      }),
      aQueue("etl.daily", {
        weight: 2,
        used: { cpu: 6000, memory: 12 * GI },
        share: 0.375,
        applications: { SchedulingGated: 0, Pending: 0, Running: 2 },
        waitingExecutors: 4,
      }),
      aQueue("adhoc", {
        ceiling: { cpu: 4000 },
        share: 0,
        used: {},
        applications: { SchedulingGated: 1, Pending: 0, Running: 0 },
      }),
    ],
    applications: [
      anApplication("report"),
      anApplication("sessions", {
        executors: { waiting: 4, admitted: 1, pending: 1, running: 2, leaving: 0, keepers: 0 },
        waits: ["4 executors wait for 4 CPUs in queue etl.daily; ahead: 1 application"],
      }),
      anApplication("notebook", {
        queue: "adhoc",
        priority: 5,
        state: "SchedulingGated",
        executors: { waiting: 0, admitted: 0, pending: 0, running: 0, leaving: 0, keepers: 0 },
        used: {},
        waits: ["waiting for 5 CPUs in queue adhoc, whose ceiling is 4"],
      }),
    ],
    ...changes,
  };
}
