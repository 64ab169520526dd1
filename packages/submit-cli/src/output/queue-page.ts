import { paint, type Palette } from "@kindling/command-line";
import { connectSessionsText } from "@kindling/core-spec";
import {
  amountsText,
  amountText,
  type GatewayOverview,
  type QueuedApplication,
  type QueueReport,
  toComeLines,
} from "@kindling/gateway-client";
import { age } from "./age.ts";
import { table } from "./table.ts";

export interface QueuePageOptions {
  readonly palette: Palette;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Whether applications that wait for nothing are also listed. */
  readonly all: boolean;
}

/** The queues, and under them the waiting applications, each with the reason. */
export function queuePage(
  { capacity, queues, queueFaults, applications }: GatewayOverview,
  options: QueuePageOptions,
): string {
  const shown = options.all ? applications : applications.filter(({ waits }) => waits.length > 0);
  const parts = [
    ...queueFaults.map((fault) => `${paint(options.palette, "red", fault)}\n`),
    capacityLines(capacity),
    queues.length === 0 ? "" : queueTable(queues),
    shown.length === 0 ? "" : applicationTable(shown, options),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function capacityLines(capacity: GatewayOverview["capacity"]): string {
  const lines = capacity.toCome === undefined ? [] : toComeLines(capacity.toCome);
  const toCome = lines.length === 0 ? "" : `May still come:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  return `${usedLine(capacity)}${toCome}`;
}

function usedLine({ kind, nodes, total, used }: GatewayOverview["capacity"]): string {
  const amounts = ["cpu", "memory"].flatMap((resource) => {
    const all = total[resource];
    return all === undefined
      ? []
      : `${amountText(resource, used[resource] ?? 0)} of ${amountText(resource, all)} ${resource}`;
  });
  if (amounts.length === 0) return "";
  const where = kind === "nodes" ? ` on ${nodes} ${nodes === 1 ? "node" : "nodes"}` : "";
  return `${amounts.join(" and ")} used${where}\n`;
}

function queueTable(queues: readonly QueueReport[]): string {
  // Most installations allow everybody to use every queue.
  const isLimited = queues.some(({ namespaces }) => namespaces !== undefined);
  const head = ["QUEUE", "SHARE", "WEIGHT", "USED", "GUARANTEE", "CEILING", "APPLICATIONS", "EXECUTORS WAITING"];
  if (isLimited) head.push("NAMESPACES");
  const rows = queues.map(({ path, share, weight, used, guarantee, ceiling, namespaces, ...queue }) => [
    path,
    `${Math.round(share * 100)}%`,
    String(weight),
    ...[used, guarantee, ceiling].map((amounts) => amountsText(amounts) || "-"),
    countsText(queue.applications),
    String(queue.waitingExecutors),
    ...(isLimited ? [namespaces ?? "all"] : []),
  ]);
  return table([head, ...rows]);
}

/** With the words of the column STATE, and of `kindling list`. */
function countsText({ Running, Pending, SchedulingGated }: QueueReport["applications"]): string {
  const counts = Object.entries({ Running, Pending, SchedulingGated }).filter(([, count]) => count > 0);
  return counts.map(([state, count]) => `${count} ${state}`).join(", ") || "none";
}

/** Why an application waits, and whose sessions it has, is below its row: sentences are wider than columns. */
function applicationTable(applications: readonly QueuedApplication[], { palette, now }: QueuePageOptions): string {
  const head = ["DRIVER POD", "APPLICATION", "QUEUE", "PRIORITY", "STATE", "EXECUTORS", "AGE"];
  const rows = applications.map((application) => [
    `${application.namespace}:${application.driverPod}`,
    application.name,
    application.queue,
    String(application.priority),
    application.state,
    executorsText(application),
    age(new Date(application.since).toISOString(), now),
  ]);
  const [first = "", ...lines] = table([head, ...rows])
    .trimEnd()
    .split("\n");
  const described = lines.flatMap((line, index) => {
    const { connect, waits = [] } = applications[index] ?? {};
    return [
      line,
      ...(connect === undefined ? [] : [`  ${connectSessionsText(connect)}`]),
      ...waits.map((wait) => `  ${paint(palette, "yellow", wait)}`),
    ];
  });
  return `${[first, ...described].join("\n")}\n`;
}

function executorsText({ executors: { running, leaving, admitted, pending, waiting } }: QueuedApplication): string {
  const here = running + leaving;
  const wanted = here + admitted + pending + waiting;
  return here === wanted ? String(here) : `${here}/${wanted}`;
}
