import { dominantShare, type Resources } from "@kindling/scheduler";
import type { Overview, QueueOverview } from "../overview/overview.ts";
import { amountsText } from "./amount-text.ts";
import { bar, percent } from "./bar.ts";
import type { Filter } from "./filter.ts";
import { html, type Html } from "./html.ts";
import { table } from "./table.ts";

/** The queues as a tree, each with a link that shows its applications. */
export function queuesSection(overview: Overview, filter: Filter): Html {
  const faults = overview.queueFaults.map((fault) => html`<p class="fault" role="alert">${fault}</p>`);
  return html`${faults}${queuesTable(overview, filter)}`;
}

function queuesTable({ queues, capacity }: Overview, filter: Filter): Html {
  if (queues.length === 0) return html`<p class="quiet">There are no queues.</p>`;
  const isLimited = queues.some(({ namespaces, priority }) => namespaces !== undefined || priority !== undefined);
  const rows = queues.map((queue) => {
    const { path, weight, guarantee, ceiling, used, applications, waitingExecutors } = queue;
    const { running, starting, gated } = applications;
    return {
      key: `queue-${path}`,
      cells: [
        queueLink(queue, filter),
        shareOf(queue, capacity.total),
        html`${weight}`,
        orNothing(amountsText(guarantee)),
        orNothing(amountsText(ceiling)),
        orNothing(amountsText(used)),
        ...(isLimited ? [html`${queue.namespaces ?? "all"}`, html`${priorityText(queue)}`] : []),
        html`${running} running${starting > 0 && `, ${starting} starting`}${gated > 0 && `, ${gated} held`}`,
        html`${waitingExecutors}`,
      ],
    };
  });
  const limits = isLimited ? ["Namespaces", "Priority"] : [];
  const amounts = ["Queue", "Share", "Weight", "Guarantee", "Ceiling", "Used"];
  const columns = [...amounts, ...limits, "Applications", "Executors waiting"];
  return table("Queues", columns, rows);
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

function shareOf({ path, share, guarantee, ceiling }: QueueOverview, total: Resources): Html {
  const marks = [
    { kind: "guarantee", fraction: dominantShare(guarantee, total) },
    { kind: "ceiling", fraction: leastFraction(ceiling, total) },
  ] as const;
  const drawn = bar(`${path} has ${percent(share)} of the capacity`, [
    { kind: "used", fraction: share },
    ...marks.filter(({ fraction }) => fraction > 0 && fraction <= 1),
  ]);
  return html`${drawn} <span>${percent(share)}</span>`;
}

/** A ceiling is met where the first of its resources is used up. */
function leastFraction(ceiling: Resources, total: Resources): number {
  const fractions = Object.entries(ceiling).map(([resource, amount]) => amount / (total[resource] ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...fractions.filter((fraction) => !Number.isNaN(fraction)));
}

function orNothing(text: string): Html {
  return text === "" ? html`<span class="quiet">none</span>` : html`${text}`;
}
