import type { PodEvent } from "@kindling/diagnosis";
import { html, type Html } from "../page/html.ts";
import { exactTime } from "../page/moment.ts";
import { type Row, table } from "../page/table.ts";

const MOST_SHOWN = 100;
const COLUMNS = ["Reason", "Message", "Pod", "Times", "Last"] as const;

/** What Kubernetes said about its pods, the latest last. */
export function eventsSection(events: readonly PodEvent[]): Html {
  if (events.length === 0) return html`<p class="quiet">Kubernetes had no events about its pods.</p>`;
  const shown = events.slice(-MOST_SHOWN);
  const more = events.length - shown.length;
  return html`${more > 0 && html`<p class="quiet">${more} earlier ones are not shown.</p>`}
  ${table("Events", COLUMNS, shown.map(eventRow))}`;
}

function eventRow({ reason, type, message, pod, count, first, last }: PodEvent, index: number): Row {
  const at = Date.parse(last ?? first ?? "");
  return {
    key: `event-${index}`,
    cells: [
      html`<span class="${type === "Warning" && "fault"}">${reason}</span>`,
      html`${message}`,
      html`${pod}`,
      html`${count}`,
      Number.isFinite(at) ? exactTime(at) : html``,
    ],
  };
}
