import { type ConnectSessions, harmlessText, KindlingError } from "@kindling/core-spec";
import type { Amounts } from "./amounts.ts";
import type { GatewayOverview, QueuedApplication, QueueReport } from "./gateway-overview.ts";
import type {
  ApplicationOverview,
  CapacityOverview,
  DriverOverview,
  NodeClassOverview,
  QueueOverview,
  ToComeOverview,
} from "./overview.ts";
import { OVERVIEW_VERSION, type OverviewDocument } from "./overview-document.ts";

/** The members of a type; their values have not been checked yet. */
type Unread<T> = { readonly [K in keyof T]?: unknown };

/** A sentence of the gateway may quote names that other people have chosen. */
const LONGEST_TEXT = 2048;

/**
 * Reads a gateway's overview. Missing members count as empty, so that older and newer gateways can be read. Control
 * characters in texts are made harmless for a terminal.
 *
 * @param where the place that was asked, in words
 * @throws KindlingError `UNSUPPORTED` if it is not an overview
 */
export function parseOverview(value: unknown, where: string): GatewayOverview {
  const document: Unread<OverviewDocument> = fieldsOf(value);
  if (document.kind !== "Overview" || document.apiVersion !== OVERVIEW_VERSION) {
    const found = text(document.apiVersion);
    const isOther = document.kind === "Overview" && found !== "";
    const message = isOther
      ? `sends its queues as ${found}, but only ${OVERVIEW_VERSION} is known here`
      : "is not a gateway of Kindling";
    throw new KindlingError("UNSUPPORTED", `what answers at ${where} ${message}`, {
      hint: isOther ? "use a kindling of the gateway's own version" : "name the gateway's admin port with --gateway",
    });
  }
  const capacity: Unread<CapacityOverview> = fieldsOf(document.capacity);
  return {
    at: number(document.at),
    capacity: {
      kind: text(capacity.kind),
      nodes: number(capacity.nodes),
      total: amounts(capacity.total),
      used: amounts(capacity.used),
      usedByOthers: amounts(capacity.usedByOthers),
      ...(capacity.toCome !== undefined && { toCome: toCome(capacity.toCome) }),
    },
    queues: list(document.queues).map(queueReport),
    queueFaults: list(document.queueFaults).map(text),
    applications: list(document.applications).map(queuedApplication),
  };
}

function toCome(value: unknown): ToComeOverview {
  const { nodes, classes }: Unread<ToComeOverview> = fieldsOf(value);
  return { nodes: number(nodes), classes: list(classes).map(nodeClass) };
}

function nodeClass(value: unknown): NodeClassOverview {
  const { name, left, limit, unready }: Unread<NodeClassOverview> = fieldsOf(value);
  return {
    ...{ name: text(name), left: amounts(left), limit: amounts(limit) },
    ...(unready !== undefined && { unready: text(unready) }),
  };
}

function queueReport(value: unknown): QueueReport {
  const queue: Unread<QueueOverview> = fieldsOf(value);
  return {
    path: text(queue.path),
    parent: text(queue.parent),
    weight: number(queue.weight),
    guarantee: amounts(queue.guarantee),
    ceiling: amounts(queue.ceiling),
    ...(queue.namespaces !== undefined && { namespaces: text(queue.namespaces) }),
    used: amounts(queue.used),
    share: number(queue.share),
    applications: counts(queue.applications, "SchedulingGated", "Pending", "Running"),
    waitingExecutors: number(queue.waitingExecutors),
  };
}

function queuedApplication(value: unknown): QueuedApplication {
  const application: Unread<ApplicationOverview> = fieldsOf(value);
  const driver: Unread<DriverOverview> = fieldsOf(application.driver);
  const virtualExecutors = application.virtualExecutors;
  return {
    namespace: text(application.namespace),
    id: text(application.id),
    name: text(application.name),
    driverPod: text(driver.pod),
    queue: text(application.queue),
    priority: number(application.priority),
    state: text(application.state),
    since: number(application.since),
    minimumExecutors: number(application.minimumExecutors),
    executors: counts(application.executors, "waiting", "admitted", "pending", "running", "leaving", "keepers"),
    ...(virtualExecutors !== undefined && { virtualExecutors: list(virtualExecutors).map(text) }),
    used: amounts(application.used),
    waits: list(application.waits).map(text),
    ...(application.connect !== undefined && { connect: sessions(application.connect) }),
  };
}

function sessions(value: unknown): ConnectSessions {
  const { profile, state, user } = fieldsOf(value);
  if (state === "waiting") return { profile: text(profile), state };
  return { profile: text(profile), state: "in-use", ...(user !== undefined && { user: text(user) }) };
}

function counts<K extends string>(value: unknown, ...names: readonly K[]): Readonly<Record<K, number>> {
  const fields = fieldsOf(value);
  return Object.fromEntries(names.map((name) => [name, number(fields[name])])) as Record<K, number>;
}

function amounts(value: unknown): Amounts {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).map(([name, amount]) => [harmlessText(name), number(amount)]),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? harmlessText(value, LONGEST_TEXT) : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
