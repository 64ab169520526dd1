import type { Overview, QueueOverview } from "@kindling/gateway-client";
import type { Filter } from "./filter.ts";
import { html, type Html } from "./html.ts";
import { queueUse, shareText, USE_LEGEND } from "./queue-use.ts";
import { table } from "./table.ts";

/** The queues as a tree, each with a link that shows its applications. */
export function queuesSection(overview: Overview, filter: Filter): Html {
  const faults = overview.queueFaults.map((fault) => html`<p class="fault" role="alert">${fault}</p>`);
  return html`${faults}${queuesTable(overview, filter)}`;
}

function queuesTable({ queues, capacity }: Overview, filter: Filter): Html {
  if (queues.length === 0) return html`<p class="quiet">There are no queues.</p>`;
  const isLimited = queues.some(({ namespaces, priority }) => namespaces !== undefined || priority !== undefined);
  const rows = queues.map((queue) => ({
    key: `queue-${queue.path}`,
    cells: [
      queueLink(queue, filter),
      html`${shareText(queue, capacity.total)}`,
      html`${queue.weight}`,
      queueUse(queue, capacity.total),
      ...(isLimited ? [html`${queue.namespaces ?? "all"}`, html`${priorityText(queue)}`] : []),
      html`${countsText(queue)}`,
      html`${queue.waitingExecutors}`,
    ],
  }));
  const limits = isLimited ? ["Namespaces", "Priority"] : [];
  const columns = ["Queue", "Share", "Weight", "Uses", ...limits, "Applications", "Executors waiting"];
  return html`${table("Queues", columns, rows)}${USE_LEGEND}`;
}

function countsText({ applications }: QueueOverview): string {
  const { Running, Pending, SchedulingGated } = applications;
  const counts = Object.entries({ Running, Pending, SchedulingGated }).filter(([, count]) => count > 0);
  return counts.map(([state, count]) => `${count} ${state}`).join(", ") || "none";
}

function priorityText({ priority: { min, max, default: usual } = {} }: QueueOverview): string {
  const bounds = [min === undefined ? "" : `from ${min}`, max === undefined ? "" : `up to ${max}`];
  const words = [...bounds, usual === undefined ? "" : `else ${usual}`].filter((part) => part !== "");
  return words.length === 0 ? "any" : words.join(" ");
}

function queueLink({ path, parent }: QueueOverview, filter: Filter): Html {
  const name = parent === "" ? path : path.slice(parent.length + 1);
  const depth = Math.min(4, parent === "" ? 0 : parent.split(".").length);
  const address = `?${new URLSearchParams({ queue: path, ...(filter.onlyWaiting && { show: "waiting" }) }).toString()}`;
  const current = filter.queue === path ? "true" : "false";
  return html`<a class="depth-${depth}" href="${address}" aria-current="${current}" title="${path}">${name}</a>`;
}
