import { hoursText, reserved, type Run } from "@kindling/recorder-client";
import { html, type Html } from "../page/html.ts";
import { ageSince } from "../page/moment.ts";
import { table } from "../page/table.ts";
import { historyAddress, runAddress } from "./history-filter.ts";
import { durationText } from "./figures-text.ts";

const COLUMNS = ["Run", "State", "Took", "Executors", "Core-hours", "Why"] as const;

/** The runs of the same name, this one among them: what was different? */
export function runsSection(runs: readonly Run[], own: Run): Html {
  const all = historyAddress({ namespace: own.namespace, name: own.name });
  const link = html`<p><a href="${all}">All runs with this name</a></p>`;
  if (runs.every(({ uid }) => uid === own.uid)) return html`<p class="quiet">No other run has this name.</p>`;
  const rows = runs.map((run) => ({
    key: `run-${run.uid}`,
    cells: [
      html`${
          run.uid === own.uid
            ? html`<b aria-current="true">${ageSince(run.ended)}, this one</b>`
            : html`<a href="${runAddress(run)}">${ageSince(run.ended)}</a>`
        }<span class="quiet">${run.driver}${attemptText(run, own)}</span>`,
      html`<span class="state ${run.state}">${run.state}</span>`,
      html`${durationText(run.ended - run.started)}`,
      html`${run.executors}`,
      html`${hoursText(reserved(run.usage).coreSeconds)}`,
      html`${run.why}`,
    ],
  }));
  return html`${table("Runs with this name", COLUMNS, rows)}${link}`;
}

/** Attempts of one application have more in common than a name. */
function attemptText({ application, attempt }: Run, own: Run): string | false {
  if (application !== own.application) return attempt > 1 && `, attempt ${attempt}`;
  return (attempt > 1 || own.attempt > 1) && `, attempt ${attempt} of the same application`;
}
