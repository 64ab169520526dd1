import type { Overview } from "@kindling/gateway-client";
import { applicationsSection } from "./applications-section.ts";
import { capacitySection } from "./capacity-section.ts";
import { executorsChart } from "./chart.ts";
import type { Filter } from "./filter.ts";
import type { Sample } from "./history.ts";
import { html, type Html } from "./html.ts";
import { pageDocument, type PageFrame } from "./page-document.ts";
import { queuesSection } from "./queues-section.ts";

/** The page of what runs now, and what waits. */
export function renderPage(
  overview: Overview,
  samples: readonly Sample[],
  filter: Filter,
  frame: PageFrame = { user: undefined, hasHistory: false },
): string {
  return pageDocument({
    ...frame,
    title: title(overview),
    place: "now",
    main: html`<section>
        <h2>Capacity</h2>
        ${capacitySection(overview.capacity)}
      </section>
      <section>
        <h2>Executors</h2>
        ${executorsChart(samples)}
      </section>
      <section>
        <h2>Queues</h2>
        ${queuesSection(overview, filter)}
      </section>
      <section>
        <h2>Applications</h2>
        ${filterForm(overview, filter)}${applicationsSection(overview, filter, frame.hasHistory)}
      </section>`,
    footer: html`<a href="api/overview">The same as JSON</a>`,
  });
}

/** The title in the browser's tab. */
function title({ applications }: Overview): string {
  const waiting = applications.filter(({ waits }) => waits.length > 0).length;
  return waiting === 0 ? "Kindling gateway" : `(${waiting} waiting) Kindling gateway`;
}

/** It works without a script, and the address of a filtered page can be kept. */
function filterForm({ queues }: Overview, { queue, onlyWaiting }: Filter): Html {
  const paths = queues.map(({ path }) => path);
  // A deleted queue stays selected: the page then shows that nothing is in it.
  const known = queue === undefined || paths.includes(queue) ? paths : [...paths, queue];
  const options = known.map((path) =>
    path === queue ? html`<option selected>${path}</option>` : html`<option>${path}</option>`,
  );
  const box = onlyWaiting
    ? html`<input type="checkbox" name="show" value="waiting" checked />`
    : html`<input type="checkbox" name="show" value="waiting" />`;
  return html`<form method="get">
    <label
      >Queue
      <select name="queue">
        <option value="">all</option>
        ${options}
      </select></label
    >
    <label>${box} only those that wait</label> <button>Show</button>
  </form>`;
}
