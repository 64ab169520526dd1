import type { Resources } from "@kindling/admission";
import { Gauge, type Registry } from "prom-client";
import type { NodeClassOverview, Overview, QueueOverview } from "@kindling/gateway-client";

// The administrator defines the queues, and the nodes the resources. Still, a mistake there must not flood the monitoring
// system.
const MOST_QUEUES = 200;
const MOST_RESOURCES = 16;
const MOST_CLASSES = 100;

/** A value with its labels. */
type Row = readonly [labels: Readonly<Record<string, string>>, value: number];

interface QueueMetric {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly rows: (overview: Overview) => readonly Row[];
}

const METRICS: readonly QueueMetric[] = [
  {
    name: "gateway_capacity",
    help: "What there is for drivers and executors: cores, bytes, or numbers",
    labels: ["resource"],
    rows: ({ capacity }) => amounts({}, capacity.total),
  },
  {
    name: "gateway_capacity_used",
    help: "What is used of the capacity, by applications of the gateway and by other pods",
    labels: ["by", "resource"],
    rows: ({ capacity }) => [
      ...amounts({ by: "applications" }, capacity.used),
      ...amounts({ by: "others" }, capacity.usedByOthers),
    ],
  },
  {
    name: "gateway_nodes_coming",
    help: "Nodes that have been ordered and take no pods yet, as NodeClaims and young nodes tell",
    labels: [],
    rows: ({ capacity: { toCome } }) => (toCome === undefined ? [] : [[{}, toCome.nodes]]),
  },
  {
    name: "gateway_node_class_left",
    help: "What an autoscaler may still add of a class of nodes; missing for resources without a limit",
    labels: ["class", "resource"],
    rows: ofClasses(({ name, left }) => amounts({ class: name }, left)),
  },
  {
    name: "gateway_node_class_limit",
    help: "What all nodes of a class may have together; missing for resources without a limit",
    labels: ["class", "resource"],
    rows: ofClasses(({ name, limit }) => amounts({ class: name }, limit)),
  },
  {
    name: "gateway_queue_used",
    help: "What the applications of a queue and of those below it use",
    labels: ["queue", "resource"],
    rows: ofQueues(({ path, used }) => amounts({ queue: path }, used)),
  },
  {
    name: "gateway_queue_guarantee",
    help: "The guarantee of a queue, as configured: what it gets before others get more than their own",
    labels: ["queue", "resource"],
    rows: ofQueues(({ path, guarantee }) => amounts({ queue: path }, guarantee)),
  },
  {
    name: "gateway_queue_ceiling",
    help: "The ceiling of a queue, as configured: the most that it can get; missing if there is none",
    labels: ["queue", "resource"],
    rows: ofQueues(({ path, ceiling }) => amounts({ queue: path }, ceiling)),
  },
  {
    name: "gateway_queue_share",
    help: "The part of the capacity that a queue uses, for the resource with the highest part: from 0 to 1",
    labels: ["queue"],
    rows: ofQueues(({ path, share }) => [[{ queue: path }, share]]),
  },
  {
    name: "gateway_queue_weight",
    help: "How much a queue gets compared with its siblings, as configured",
    labels: ["queue"],
    rows: ofQueues(({ path, weight }) => [[{ queue: path }, weight]]),
  },
  {
    name: "gateway_queue_applications",
    help: "Applications of a queue and of those below it, by their drivers' state; a SchedulingGated one is held back",
    labels: ["queue", "state"],
    rows: ofQueues(({ path, applications }) =>
      Object.entries(applications).map(([state, count]) => [{ queue: path, state }, count]),
    ),
  },
  {
    name: "gateway_applications_without_queue",
    help: "Applications that wait because the queue that they name is not there, has queues below it, or is not for their namespace; no queue counts them",
    labels: [],
    rows: (overview) => [[{}, withoutQueue(overview)]],
  },
  {
    name: "gateway_queue_executors_waiting",
    help: "Executors of a queue and of those below it that wait for admission",
    labels: ["queue"],
    rows: ofQueues(({ path, waitingExecutors }) => [[{ queue: path }, waitingExecutors]]),
  },
];

/** Metrics of the capacity and of each queue, read when they are requested. */
export function registerQueueMetrics(registry: Registry, overview: () => Overview): void {
  for (const { name, help, labels, rows } of METRICS) {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [],
        collect() {
          // A deleted queue no longer has values.
          this.reset();
          for (const [values, value] of rows(overview())) this.set(values, value);
        },
      }),
    );
  }
}

/** Applications are only in queues without children. */
function withoutQueue({ applications, queues }: Overview): number {
  const parents = new Set(queues.map(({ parent }) => parent));
  const counts = queues.flatMap((queue) => (parents.has(queue.path) ? [] : Object.values(queue.applications)));
  return counts.reduce((left, count) => left - count, applications.length);
}

function ofClasses(rows: (nodeClass: NodeClassOverview) => readonly Row[]): QueueMetric["rows"] {
  return ({ capacity: { toCome } }) => (toCome?.classes ?? []).slice(0, MOST_CLASSES).flatMap(rows);
}

function ofQueues(rows: (queue: QueueOverview) => readonly Row[]): QueueMetric["rows"] {
  return ({ queues }) => queues.slice(0, MOST_QUEUES).flatMap(rows);
}

/** In Prometheus' units: cores, not thousandths of them. */
function amounts(labels: Readonly<Record<string, string>>, resources: Resources): readonly Row[] {
  return Object.entries(resources)
    .slice(0, MOST_RESOURCES)
    .map(([resource, amount]) => [{ ...labels, resource }, resource === "cpu" ? amount / 1000 : amount]);
}
