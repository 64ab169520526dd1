import { type Content, html, type Html } from "../page/html.ts";
import { pageDocument, type PageFrame } from "../page/page-document.ts";
import { table } from "../page/table.ts";
import { eventsSection } from "./events-section.ts";
import { executorsSection } from "./executors-section.ts";
import { factsSection } from "./facts-section.ts";
import { logSection } from "./log-section.ts";
import { runsSection } from "./runs-section.ts";
import { stagesSection } from "./stages-section.ts";
import { verdictSection } from "./verdict-section.ts";
import type { KeptRun } from "./visible-history.ts";

/** Everything that is kept of an application, in the order in which people look for a reason. */
export function runPage({ record, lives, stages, log, runs }: KeptRun, frame: PageFrame): string {
  const { run, events, configuration } = record;
  const parts: readonly (readonly [id: string, title: string, content: Content])[] = [
    ["log", "Log", logSection(record, log)],
    ["executors", "Executors", lives === undefined ? UNREAD : executorsSection(record, lives)],
    ["stages", "Stages", stages === undefined ? UNREAD : stagesSection(stages)],
    ["runs", "Runs with this name", runs === undefined ? UNREAD : runsSection(runs, run)],
    ["events", "Events", eventsSection(events)],
    ["configuration", "Configuration", configurationSection(configuration)],
  ];
  return pageDocument({
    ...frame,
    title: `${run.name} · ${run.state} · Kindling gateway`,
    place: "application",
    main: html`<section>
        <h2>${run.name}</h2>
        ${verdictSection(record)}
        <nav class="parts" aria-label="Parts of this page">
          ${parts.map(([id, title]) => html`<a href="#${id}">${title}</a> `)}
        </nav>
        ${factsSection(record)}
      </section>
      ${parts.map(
        ([id, title, content]) =>
          html`<section id="${id}">
            <h2>${title}</h2>
            ${content}
          </section>`,
      )}`,
  });
}

const UNREAD = html`<p class="quiet">The recorder does not tell this at present.</p>`;

function configurationSection(configuration: Readonly<Record<string, string>> = {}): Html {
  const entries = Object.entries(configuration).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return html`<p class="quiet">Its configuration is not kept.</p>`;
  const rows = entries.map(([key, value]) => ({ key: `key-${key}`, cells: [html`${key}`, html`${value}`] }));
  return html`<details>
    <summary>${entries.length} entries; secrets are left out</summary>
    ${table("Configuration", ["Key", "Value"], rows)}
  </details>`;
}
