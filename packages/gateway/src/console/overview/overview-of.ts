import { nodeWords } from "./node-words.ts";
import {
  dominantShare,
  multiply,
  NO_RESOURCES,
  queuePath,
  type ApplicationDemand,
  type Capacity,
  type KeptPod,
  type PolicySnapshot,
  type Queue,
  type Resources,
  sum,
  waitingCount,
} from "@kindling/admission";
import { type ConnectSessions, namespaceRuleText } from "@kindling/core-spec";
import { executorName } from "../../spark/set-marks.ts";
import type {
  ApplicationOverview,
  ApplicationState,
  CapacityOverview,
  DriverOverview,
  ExecutorCounts,
  Overview,
  QueueOverview,
} from "@kindling/gateway-client";

/** The names of an application for people, and other facts that the policy does not need. */
export interface ApplicationNames {
  /** As in the label `spark-app-selector`. */
  readonly id: string;
  readonly name: string;
  readonly driver: DriverOverview;
  readonly isRunning: boolean;
  /** What was done about its memory, in words. */
  readonly memory?: string;
  /** The sessions of Spark Connect that it is for, if kindling-connect has made it. */
  readonly connect?: ConnectSessions;
}

export interface OverviewInput {
  readonly snapshot: PolicySnapshot;
  /** Applications that are decided on elsewhere. */
  readonly elsewhere?: readonly ApplicationDemand[];
  /** By the id of the demand. */
  readonly names: ReadonlyMap<string, ApplicationNames>;
  /** Why applications wait, by the id of the demand. */
  readonly waits: ReadonlyMap<string, readonly string[]>;
  readonly queueFaults?: readonly string[];
}

/** How many names of virtual executors are listed: of one application, and of all together, the oldest applications first. */
const MOST_NAMES = { ofOne: 1_000, ofAll: 100_000 };

/** Shows what the policy was given, and why applications wait. */
export function overviewOf({ snapshot, elsewhere = [], names, waits, queueFaults = [] }: OverviewInput): Overview {
  const { now, capacity, queues } = snapshot;
  const applications = [...snapshot.applications, ...elsewhere];
  const inOrder = applications.toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
  let left = MOST_NAMES.ofAll;
  const overviews = inOrder.map((demand) => {
    const virtualExecutors = virtualExecutorsOf(demand).slice(0, Math.min(MOST_NAMES.ofOne, left));
    left -= virtualExecutors.length;
    const words = [...(waits.get(demand.id) ?? []), ...nodeWords(demand, snapshot)];
    return { ...applicationOverview(demand, names.get(demand.id), words), virtualExecutors };
  });
  // An application that may not use its queue is not counted there.
  const inQueues = overviews.filter((_one, index) => inOrder[index]?.refusal === undefined);
  // What Kueue's applications use counts as used by others.
  const room = capacityOverview(capacity, sum(snapshot.applications.map(usedBy)));
  return {
    at: now,
    capacity: room,
    queues: queueOverviews(queues.children, "", inQueues, room.total),
    queueFaults,
    applications: overviews,
  };
}

function applicationOverview(
  demand: ApplicationDemand,
  names: ApplicationNames | undefined,
  waits: readonly string[],
): Omit<ApplicationOverview, "virtualExecutors"> {
  const { namespace, queue, priority, since, driver, minimum, present, keepers = [] } = demand;
  const counts = { admitted: 0, pending: 0, running: 0, leaving: 0 };
  for (const { state } of present) counts[state] += 1;
  const executors: ExecutorCounts = { waiting: waitingCount(demand), ...counts, keepers: keepers.length };
  return {
    namespace,
    id: names?.id ?? "",
    name: names?.name ?? "",
    driver: names?.driver ?? { pod: "" },
    queue,
    priority,
    state: driver.state === "gated" ? "SchedulingGated" : names?.isRunning === true ? "Running" : "Pending",
    since,
    minimumExecutors: minimum.count,
    executors,
    used: usedBy(demand),
    waits,
    ...(names?.memory !== undefined && { memory: names.memory }),
    ...(names?.connect !== undefined && { connect: names.connect }),
  };
}

/** What the driver and the executors of an application use, and the pods that keep shuffle files. */
function usedBy({ driver, present, keepers = [] }: ApplicationDemand): Resources {
  const ofDriver = driver.state === "gated" ? NO_RESOURCES : driver.pod.requests;
  return sum([ofDriver, ...usedByShape([...present, ...keepers])]);
}

function virtualExecutorsOf({ waiting, present }: ApplicationDemand): string[] {
  const admitted = present.filter(({ state }) => state === "admitted");
  return [...admitted, ...waiting].map(({ id }) => executorName(id));
}

/** There are many executors and few shapes. */
function usedByShape(present: readonly KeptPod[]): Resources[] {
  const counts = new Map<Resources, number>();
  for (const { pod } of present) counts.set(pod.requests, (counts.get(pod.requests) ?? 0) + 1);
  return [...counts].map(([requests, count]) => multiply(requests, count));
}

function capacityOverview(capacity: Capacity, used: Resources): CapacityOverview {
  if (capacity.kind === "configured") {
    const { total } = capacity;
    const kind = Object.keys(total).length === 0 ? "unlimited" : "configured";
    return { kind, nodes: 0, total, used, usedByOthers: NO_RESOURCES };
  }
  const { nodes, classes } = capacity;
  const open = nodes.filter(({ unschedulable, isComing }) => !unschedulable && isComing !== true);
  return {
    kind: "nodes",
    nodes: open.length,
    total: sum(open.map(({ allocatable }) => allocatable)),
    used,
    usedByOthers: sum(open.map(({ usedByOthers }) => usedByOthers)),
    ...(classes !== undefined && {
      toCome: {
        nodes: nodes.filter(({ isComing }) => isComing).length,
        classes: classes.map(({ name, left, limit, unready }) => ({
          ...{ name, left, limit },
          ...(unready !== undefined && { unready }),
        })),
      },
    }),
  };
}

function queueOverviews(
  queues: readonly Queue[],
  parent: string,
  applications: readonly ApplicationOverview[],
  total: Resources,
): QueueOverview[] {
  return queues.flatMap(({ name, weight, guarantee, ceiling, namespaces, priority, children }) => {
    const path = queuePath(parent, name);
    const own = applications.filter(({ queue }) => queue === path || queue.startsWith(`${path}.`));
    const used = sum(own.map((application) => application.used));
    const overview: QueueOverview = {
      ...{ path, parent, weight, guarantee, ceiling, used },
      ...(namespaces !== undefined && { namespaces: namespaceRuleText(namespaces) }),
      ...(priority !== undefined && { priority }),
      share: dominantShare(used, total),
      applications: { SchedulingGated: 0, Pending: 0, Running: 0, ...countsOf(own) },
      waitingExecutors: own.reduce((count, { executors }) => count + executors.waiting, 0),
    };
    return [overview, ...queueOverviews(children, path, own, total)];
  });
}

function countsOf(applications: readonly ApplicationOverview[]): Partial<Record<ApplicationState, number>> {
  const counts: Partial<Record<ApplicationState, number>> = {};
  for (const { state } of applications) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
