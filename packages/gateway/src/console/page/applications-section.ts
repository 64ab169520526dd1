import { connectSessionsText } from "@kindling/core-spec";
import { amountsText, type ApplicationOverview, type Overview } from "@kindling/gateway-client";
import { commandsOf } from "./commands.ts";
import { type Filter, selected } from "./filter.ts";
import { html, type Html } from "./html.ts";
import { ageSince } from "./moment.ts";
import { type Row, table } from "./table.ts";

/** A page with more rows is slow, and nobody reads it. */
const MOST_SHOWN = 200;

const COLUMNS = ["Application", "Queue", "State", "Executors", "Used", "Since", "Why it waits"];

/** What the states mean here. */
const MEANINGS: Readonly<Record<ApplicationOverview["state"], string>> = {
  SchedulingGated: "its driver is held back until there is room for it",
  Pending: "its driver may start, and does not run yet",
  Running: "its driver runs",
};

const STATES = html`<p class="legend quiet">
  ${Object.entries(MEANINGS).map(([state, meaning]) => html`<span><b class="state ${state}">${state}</b>: ${meaning}</span> `)}
</p>`;

/** The applications that the visitor wants to see, the oldest first. */
export function applicationsSection(overview: Overview, filter: Filter, hasHistory: boolean): Html {
  const all = selected(overview, filter);
  const shown = all.slice(0, MOST_SHOWN);
  if (shown.length === 0) return html`<p class="quiet">${nothing(filter)}</p>`;
  const more =
    all.length > shown.length &&
    html`<p>${all.length - shown.length} more are not shown. Choose a queue to see fewer.</p>`;
  return html`${table(
    "Applications",
    COLUMNS,
    shown.map((one) => applicationRow(one, hasHistory)),
  )}${more}${STATES}`;
}

function nothing({ queue, onlyWaiting }: Filter): string {
  return `No application ${onlyWaiting ? "waits" : "is here"}${queue === undefined ? "" : ` in queue ${queue}`}.`;
}

function applicationRow(application: ApplicationOverview, hasHistory: boolean): Row {
  const { namespace, name, driver, queue, priority, state, since, used, waits, memory, connect } = application;
  return {
    key: `application-${namespace}-${driver.pod}`,
    cells: [
      html`<b>${name}</b
        ><span class="quiet">${namespace}/${driver.pod}</span
        >${connect !== undefined && html`<span class="quiet">${connectSessionsText(connect)}</span>`}${commandsOf(application)}${hasHistory && earlierRuns(application)}`,
      html`${queue}${priority !== 0 && html`<span class="quiet">priority ${priority}</span>`}`,
      html`<span class="state ${state}" title="${MEANINGS[state]}">${state}</span>`,
      html`${executorsText(application)}`,
      html`${amountsText(used)}${memory !== undefined && html`<span class="quiet">${memory}</span>`}`,
      ageSince(since),
      waits.length === 0
        ? html``
        : html`<ul>
            ${waits.map((wait) => html`<li>${wait}</li>`)}
          </ul>`,
    ],
  };
}

function earlierRuns({ namespace, name }: ApplicationOverview): Html {
  const query = new URLSearchParams({ namespace, name }).toString();
  return html`<a class="quiet" href="history?${query}">Earlier runs</a>`;
}

function executorsText({ executors, minimumExecutors }: ApplicationOverview): string {
  const { running, admitted, pending, leaving, waiting, keepers } = executors;
  const parts = [
    `${running} running`,
    ...(admitted + pending > 0 ? [`${admitted + pending} starting`] : []),
    ...(leaving > 0 ? [`${leaving} leaving`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
    ...(keepers > 0 ? [`${keepers} kept for shuffle files`] : []),
  ];
  return `${parts.join(", ")} (at least ${minimumExecutors})`;
}
