import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { type Figures, registerFigures } from "./figures.ts";

/**
 * What the gateway measures. Each metric is declared once, by a field. No label names an application, a pod or a namespace,
 * because their number has no bound.
 */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #registers = [this.registry];

  readonly requests: Histogram<"verb" | "resource" | "status"> = new Histogram({
    name: "gateway_http_request_duration_seconds",
    help: "Time from a driver's request to the end of its answer",
    labelNames: ["verb", "resource", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10],
    registers: this.#registers,
  });

  readonly watches: Gauge = new Gauge({
    name: "gateway_watches",
    help: "Watches that drivers have open",
    registers: this.#registers,
  });

  /** A driver that connects again soon has lost nothing. */
  readonly connectionsCut: Counter<"reason"> = new Counter({
    name: "gateway_connections_cut_total",
    help: "Connections closed or refused, by reason: for-newcomer, per-client, full, pipelining, slow-body, stalled",
    labelNames: ["reason"],
    registers: this.#registers,
  });

  readonly attempts: Counter<"outcome"> = new Counter({
    name: "gateway_executor_attempts_total",
    help: "Attempts to make executors, by how they ended: done, quota, for-now, final, failed",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly madeAfter: Histogram = new Histogram({
    name: "gateway_executor_made_seconds",
    help: "Time from a driver's request for an executor to its pod in the cluster",
    buckets: [0.01, 0.05, 0.2, 1, 5, 30, 120, 600, 3600],
    registers: this.#registers,
  });

  readonly upstreamFaults: Counter<"kind"> = new Counter({
    name: "gateway_upstream_faults_total",
    help: "Faults of the watches of the cluster, by what they watch",
    labelNames: ["kind"],
    registers: this.#registers,
  });

  readonly reaped: Counter = new Counter({
    name: "gateway_executors_reaped_total",
    help: "Executors deleted because their driver or a claim of their own was gone",
    registers: this.#registers,
  });

  readonly lost: Counter<"cause"> = new Counter({
    name: "gateway_executors_lost_total",
    help: "Executors that ended though nobody had given them up, by cause: node-goes, eviction, preemption, node-lost, node-pressure, memory, failed",
    labelNames: ["cause"],
    registers: this.#registers,
  });

  readonly memory: Counter<"cause" | "outcome"> = new Counter({
    name: "gateway_executors_memory_total",
    help: "Executors that ended for lack of memory in applications with spark.kindling.memory, by cause (heap, direct, container) and by what was done: grown, fewer-tasks, known (their successors are larger already), exhausted",
    labelNames: ["cause", "outcome"],
    registers: this.#registers,
  });

  readonly leftNodes: Counter = new Counter({
    name: "gateway_executors_left_nodes_total",
    help: "Executors asked to leave because their node goes",
    registers: this.#registers,
  });

  readonly withoutNode: Counter = new Counter({
    name: "gateway_executors_without_node_total",
    help: "Executors given up because no node came for them",
    registers: this.#registers,
  });

  readonly early: Counter<"outcome"> = new Counter({
    name: "gateway_early_executors_total",
    help: "Executors made before their driver asked for them, by what became of them: handed, released",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly tokenRenewals: Counter<"outcome"> = new Counter({
    name: "gateway_token_renewals_total",
    help: "Renewals of Hadoop's delegation tokens, by outcome: renewed, failed (it is tried again), refused (for good)",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly planned: Histogram = new Histogram({
    name: "gateway_plan_seconds",
    help: "Time that the policy takes to decide who gets what",
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2.5],
    registers: this.#registers,
  });

  readonly planFailures: Counter = new Counter({
    name: "gateway_plan_failures_total",
    help: "Plans that could not be made because the policy failed",
    registers: this.#registers,
  });

  readonly queueReloads: Counter<"outcome"> = new Counter({
    name: "gateway_queues_reloads_total",
    help: "Times that the file of queues had changed, by outcome: taken, refused",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly queuesRefused: Gauge = new Gauge({
    name: "gateway_queues_refused",
    help: "Whether the file of queues is wrong, so that other queues are used: 1 or 0",
    registers: this.#registers,
  });

  readonly decisions: Counter<"queue" | "decision"> = new Counter({
    name: "gateway_decisions_total",
    help: "Decisions of the policy: drivers to start, executors to admit, executors to ask to leave their queue",
    labelNames: ["queue", "decision"],
    registers: this.#registers,
  });

  readonly askedToLeave: Counter = new Counter({
    name: "gateway_executors_asked_to_leave_total",
    help: "Executors that were asked to leave, or deleted, to make room for other applications",
    registers: this.#registers,
  });

  readonly keepers: Counter<"outcome"> = new Counter({
    name: "gateway_keepers_total",
    help: "Pods of ended executors that stayed for their shuffle files: what was given back of them, and why they were deleted",
    labelNames: ["outcome"],
    registers: this.#registers,
  });

  readonly heldDeletions: Histogram<"outcome"> = new Histogram({
    name: "gateway_deletions_held_seconds",
    help: "Time that pods of ended executors waited for the recorder before they were deleted, by outcome: recorded, unread, unknown (the recorder knows no such executor), timed-out, away, stopped",
    labelNames: ["outcome"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: this.#registers,
  });

  readonly driversRestarted: Counter = new Counter({
    name: "gateway_drivers_restarted_total",
    help: "Drivers that were started again",
    registers: this.#registers,
  });

  constructor(figures: () => Figures | undefined) {
    collectDefaultMetrics({ register: this.registry });
    registerFigures(this.registry, figures);
  }
}
