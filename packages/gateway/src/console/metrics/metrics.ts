import type { Intercept } from "@kindling/api-server";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Figures that are kept elsewhere, and read when the metrics are requested. */
export interface Figures {
  readonly applications: number;
  readonly waiting: number;
  readonly beingMade: number;
  readonly waitingForQuota: number;
}

/** Those of a gateway that serves nobody. */
export const NO_FIGURES: Figures = { applications: 0, waiting: 0, beingMade: 0, waitingForQuota: 0 };

const GAUGES: readonly (readonly [keyof Figures, name: string, help: string])[] = [
  ["applications", "gateway_applications", "Applications whose drivers are served"],
  ["waiting", "gateway_executors_waiting", "Executors that wait for admission"],
  ["beingMade", "gateway_executors_being_made", "Admitted executors that are not there yet"],
  ["waitingForQuota", "gateway_executors_waiting_for_quota", "Admitted executors whose namespace is full"],
];

/** What the gateway measures. No label names an application, a pod or a namespace, because their number has no bound. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"verb" | "resource" | "status">;
  readonly watches: Gauge;
  /**
   * By reason: for-newcomer, per-client, full, pipelining, slow-body, stalled. A driver that connects again soon has lost
   * nothing.
   */
  readonly connectionsCut: Counter<"reason">;
  /** Attempts to create executors, by how they ended: done, quota, for-now, final, failed. */
  readonly attempts: Counter<"outcome">;
  /** From the driver's request to the pod in the cluster. */
  readonly madeAfter: Histogram;
  readonly upstreamFaults: Counter<"kind">;
  readonly reaped: Counter;
  /** Executors created before their driver asked for them, by outcome: handed, released. */
  readonly early: Counter<"outcome">;
  /** How long the policy took. */
  readonly planned: Histogram;
  readonly planFailures: Counter;
  /** By whether the file could be used: taken, refused. */
  readonly queueReloads: Counter<"outcome">;
  /** 1 while the file of queues is refused. */
  readonly queuesRefused: Gauge;
  readonly askedToLeave: Counter;
  readonly decisions: Counter<"queue" | "decision">;
  readonly driversRestarted: Counter;
  /** Measures each answered request. Watches are measured only if they are refused, because their duration says nothing. */
  readonly observe: Intercept;
}

const RESOURCES: ReadonlySet<string> = new Set([
  ...["pods", "configmaps", "persistentvolumeclaims", "services"],
  ...["statefulsets", "deployments"],
]);

export function gatewayMetrics(figures: () => Figures): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const [figure, name, help] of GAUGES) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(figures()[figure]);
        },
      }),
    );
  }
  const requests = new Histogram({
    name: "gateway_http_request_duration_seconds",
    help: "Time from a driver's request to the end of its answer",
    labelNames: ["verb", "resource", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10],
    registers,
  });
  return {
    registry,
    requests,
    watches: new Gauge({ name: "gateway_watches", help: "Watches that drivers have open", registers }),
    connectionsCut: new Counter({
      name: "gateway_connections_cut_total",
      help: "Connections closed or refused, by reason: for-newcomer, per-client, full, pipelining, slow-body, stalled",
      labelNames: ["reason"],
      registers,
    }),
    attempts: new Counter({
      name: "gateway_executor_attempts_total",
      help: "Attempts to make executors, by how they ended: done, quota, for-now, final, failed",
      labelNames: ["outcome"],
      registers,
    }),
    madeAfter: new Histogram({
      name: "gateway_executor_made_seconds",
      help: "Time from a driver's request for an executor to its pod in the cluster",
      buckets: [0.01, 0.05, 0.2, 1, 5, 30, 120, 600, 3600],
      registers,
    }),
    upstreamFaults: new Counter({
      name: "gateway_upstream_faults_total",
      help: "Faults of the watches of the cluster, by what they watch",
      labelNames: ["kind"],
      registers,
    }),
    reaped: new Counter({
      name: "gateway_executors_reaped_total",
      help: "Executors deleted because their driver or a claim of their own was gone",
      registers,
    }),
    early: new Counter({
      name: "gateway_early_executors_total",
      help: "Executors made before their driver asked for them, by what became of them: handed, released",
      labelNames: ["outcome"],
      registers,
    }),
    planned: new Histogram({
      name: "gateway_plan_seconds",
      help: "Time that the policy takes to decide who gets what",
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2.5],
      registers,
    }),
    planFailures: new Counter({
      name: "gateway_plan_failures_total",
      help: "Plans that could not be made because the policy failed",
      registers,
    }),
    queueReloads: new Counter({
      name: "gateway_queues_reloads_total",
      help: "Times that the file of queues had changed, by outcome: taken, refused",
      labelNames: ["outcome"],
      registers,
    }),
    queuesRefused: new Gauge({
      name: "gateway_queues_refused",
      help: "Whether the file of queues is wrong, so that other queues are used: 1 or 0",
      registers,
    }),
    decisions: new Counter({
      name: "gateway_decisions_total",
      help: "Decisions of the policy: drivers to start, executors to admit, executors to ask to leave their queue",
      labelNames: ["queue", "decision"],
      registers,
    }),
    askedToLeave: new Counter({
      name: "gateway_executors_asked_to_leave_total",
      help: "Executors that were asked to leave, or deleted, to make room for other applications",
      registers,
    }),
    driversRestarted: new Counter({
      name: "gateway_drivers_restarted_total",
      help: "Drivers that were started again",
      registers,
    }),
    observe: (exchange, target, verb) => {
      const resource = target.kind === "resource" && RESOURCES.has(target.plural) ? target.plural : "other";
      const end = requests.startTimer({ verb: resource === "other" ? "other" : verb, resource });
      exchange.response.on("finish", () => {
        const status = exchange.response.statusCode;
        if (verb !== "watch" || status !== 200) end({ status });
      });
      return Promise.resolve(false);
    },
  };
}
