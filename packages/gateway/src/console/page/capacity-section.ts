import {
  amountText,
  type CapacityOverview,
  compareResources,
  toComeLines,
  type ToComeOverview,
} from "@kindling/gateway-client";
import { bar } from "./bar.ts";
import { type Content, html, type Html } from "./html.ts";
import { legend } from "./legend.ts";

/** Nodes have more resources than people want to see. */
const MOST_RESOURCES = 8;

/** What there is, and how much of it is used. */
export function capacitySection({ kind, nodes, total, used, usedByOthers, toCome }: CapacityOverview): Html {
  if (kind === "unlimited")
    return html`<p class="quiet">
      No capacity is counted: every executor is made at once, or when its queue's ceiling allows.
    </p>`;
  const from = kind === "nodes" ? `of ${nodes} ${nodes === 1 ? "node" : "nodes"}` : "as configured";
  const resources = Object.keys(total).filter((resource) => (total[resource] ?? 0) > 0);
  return html`<dl class="capacity" aria-label="Capacity ${from}">
      ${resources
        .toSorted(compareResources)
        .slice(0, MOST_RESOURCES)
        .map((resource) => {
          const [all = 0, own = 0, others = 0] = [total[resource], used[resource], usedByOthers[resource]];
          const beside = others > 0 ? `, ${amountText(resource, others)} by others` : "";
          const words = `${amountText(resource, own)} of ${amountText(resource, all)} used${beside}`;
          return html`<div>
            <dt>${resource}</dt>
            <dd>
              ${bar(`${resource}: ${words}`, [
                { kind: "used", fraction: own / all },
                { kind: "others", fraction: others / all },
              ])}<span>${words}</span>
            </dd>
          </div>`;
        })}
    </dl>
    ${legend(
      [
        ["used", "used by applications"],
        ["others", "used by other pods"],
        ["free", "free"],
      ],
      `Capacity ${from}; what is used is what pods request.`,
    )}${toCome !== undefined && toComeList(toCome)}`;
}

function toComeList(toCome: ToComeOverview): Content {
  const lines = toComeLines(toCome);
  if (lines.length === 0) return undefined;
  return html`<p class="quiet">May still come:</p>
    <ul class="quiet" aria-label="Nodes that may still come">
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>`;
}
