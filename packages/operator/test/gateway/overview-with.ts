import type { GatewayOverview } from "@kindling/gateway-client";

/** The overview of a gateway that has promised these executors, by the name of the application. */
export function overviewWith(executors: Readonly<Record<string, readonly string[]>>): GatewayOverview {
  return {
    at: 0,
    capacity: { kind: "unlimited", nodes: 0, total: {}, used: {}, usedByOthers: {} },
    queues: [],
    queueFaults: [],
    applications: Object.entries(executors).map(([name, virtualExecutors]) => ({
      ...{ namespace: "spark-jobs", id: `spark-${name}`, name, driverPod: `${name}-driver` },
      ...{ queue: "default", priority: 0, state: "running", since: 0, minimumExecutors: 0 },
      executors: { waiting: virtualExecutors.length, admitted: 0, pending: 0, running: 0, leaving: 0, keepers: 0 },
      ...{ virtualExecutors, used: {}, waits: [] },
    })),
  };
}
