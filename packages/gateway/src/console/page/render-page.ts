import type { Overview } from "@kindling/gateway-client";
import { applicationsSection } from "./applications-section.ts";
import { capacitySection } from "./capacity-section.ts";
import { executorsChart } from "./chart.ts";
import type { Filter } from "./filter.ts";
import type { Sample } from "./history.ts";
import { html, type Html } from "./html.ts";
import { queuesSection } from "./queues-section.ts";

/**
 * The whole page: a document that needs only its style sheet and is refreshed by its script. The same contents give the same
 * text, so it need not be sent again. A user who has signed in can sign out. Its links are relative, because it may be behind the API server's proxy.
 */
export function renderPage(overview: Overview, samples: readonly Sample[], filter: Filter, user?: string): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title(overview)}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="page.css" />
        <script src="page.js" defer></script>
        <noscript><meta http-equiv="refresh" content="10" /></noscript>
      </head>
      <body>
        <header>
          <h1>Kindling gateway</h1>
          <p id="freshness" role="status"></p>
          ${
            user !== undefined &&
            html`<form class="sign-out" method="post" action="oidc/logout">
              <span>${user}</span> <button>Sign out</button>
            </form>`
          }
        </header>
        <main>
          <section>
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
            ${filterForm(overview, filter)}${applicationsSection(overview, filter)}
          </section>
        </main>
        <footer><a href="api/overview">The same as JSON</a></footer>
      </body>
    </html> `;
  return text;
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
