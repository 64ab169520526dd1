import type { Clock } from "@kindling/outside";
import { Counter, Gauge, type Registry } from "prom-client";

/**
 * Registers how many nodes are idle, and how long nodes have been so: a node that is idle from one request for the metrics to
 * the next counts for the whole time between them.
 */
export function registerIdleNodes(registry: Registry, clock: Clock, idleNodes: () => number): void {
  let last = clock.monotonic();
  const gauge = new Gauge({
    name: "gateway_idle_nodes",
    help: "Nodes of autoscalers on which only DaemonSets run",
    registers: [],
  });
  const counter = new Counter({
    name: "gateway_idle_node_seconds_total",
    help: "How long nodes of autoscalers were there while only DaemonSets ran on them: seconds of all nodes together",
    registers: [],
    collect() {
      const [now, idle] = [clock.monotonic(), idleNodes()];
      gauge.set(idle);
      this.inc((idle * (now - last)) / 1000);
      last = now;
    },
  });
  // Metrics are collected in this order.
  registry.registerMetric(counter);
  registry.registerMetric(gauge);
}
