import type { Resources } from "@kindling/admission";
import { amountText, compareResources, type QueueOverview } from "@kindling/gateway-client";
import { bar, type BarPart, percent } from "./bar.ts";
import { html, type Html } from "./html.ts";
import { legend } from "./legend.ts";

/** Nodes have more resources than people want to see. */
const MOST_RESOURCES = 6;

/**
 * What a queue uses, may use and is guaranteed, with one line for each resource: the use of memory says nothing about a
 * ceiling for CPUs.
 */
export function queueUse(queue: QueueOverview, total: Resources): Html {
  const { used, guarantee, ceiling } = queue;
  const resources = [...new Set([used, guarantee, ceiling].flatMap((amounts) => Object.keys(amounts)))]
    // Every queue has pods: their number is interesting only if it is limited.
    .filter((resource) => resource !== "pods" || guarantee[resource] !== undefined || ceiling[resource] !== undefined)
    .filter((resource) => (used[resource] ?? guarantee[resource] ?? 0) > 0 || ceiling[resource] !== undefined);
  if (resources.length === 0) return html`<span class="quiet">nothing</span>`;
  return html`${resources
    .toSorted(compareResources)
    .slice(0, MOST_RESOURCES)
    .map((resource) => useOf(resource, queue, total))}`;
}

export const USE_LEGEND: Html = legend(
  [
    ["used", "used"],
    ["borrowed", "used beyond the guarantee"],
    ["guarantee", "guarantee"],
    ["ceiling", "ceiling: the bar ends there"],
  ],
  "The whole width is the capacity of the cluster.",
);

function useOf(resource: string, { path, used, guarantee, ceiling }: QueueOverview, total: Resources): Html {
  const own = used[resource] ?? 0;
  const [promised, most] = [guarantee[resource] ?? 0, ceiling[resource]];
  // If no capacity is counted, the bar can only be scaled by the queue's own amounts.
  const whole = total[resource] || Math.max(own, promised, most ?? 0, 1);
  const inside = promised > 0 ? Math.min(own, promised) : own;
  const parts: readonly BarPart[] = [
    { kind: "used", fraction: inside / whole },
    { kind: "borrowed", fraction: (own - inside) / whole },
    ...(promised > 0 && promised <= whole ? [{ kind: "guarantee", fraction: promised / whole } as const] : []),
    ...(most !== undefined && most < whole ? [{ kind: "ceiling", fraction: most / whole } as const] : []),
  ];
  const limits = [
    ...(promised > 0 ? [`guarantee ${amountText(resource, promised)}`] : []),
    ...(most === undefined ? [] : [`ceiling ${amountText(resource, most)}`]),
  ].join(", ");
  const words = `${amountText(resource, own)} used${limits === "" ? "" : `, ${limits}`}`;
  const isFull = most !== undefined && own >= most;
  return html`<div class="use">
    <span>${resource}</span> ${bar(`${path}, ${resource}: ${words}`, parts)}
    <span class="${isFull ? "full" : "amount"}">${words}${isFull && html` (reached)`}</span>
  </div>`;
}

/** The dominant share of a queue, and the resource that it is about. */
export function shareText({ share, used }: QueueOverview, total: Resources): string {
  const [first] = Object.keys(total)
    .filter((resource) => (total[resource] ?? 0) > 0)
    .toSorted((a, b) => fraction(b) - fraction(a) || compareResources(a, b));
  return first === undefined || share === 0 ? percent(share) : `${percent(share)} of ${first}`;

  function fraction(resource: string): number {
    return (used[resource] ?? 0) / (total[resource] ?? 1);
  }
}
