import { hoursText, reserved, RUN_STATES, type Run } from "@kindling/recorder-client";
import { html, type Html } from "../page/html.ts";
import { ageSince } from "../page/moment.ts";
import { pageDocument, type PageFrame } from "../page/page-document.ts";
import { type Row, table } from "../page/table.ts";
import { durationText } from "./figures-text.ts";
import { historyAddress, type HistoryFilter, PERIODS, runAddress } from "./history-filter.ts";
import type { VisibleRuns } from "./visible-history.ts";

export interface HistoryPage {
  readonly frame: PageFrame;
  readonly filter: HistoryFilter;
  readonly found: VisibleRuns;
  /** The queues that there are now. */
  readonly queues: readonly string[];
}

const COLUMNS = [
  "Application",
  "State",
  "Ended",
  "Took",
  "Queue",
  "Executors",
  "Core-hours",
  "GiB-hours",
  "Why",
] as const;

/** A page of the applications that have ended, those first that ended last. */
export function historyPage({ frame, filter, found, queues }: HistoryPage): string {
  return pageDocument({
    ...frame,
    title: "History · Kindling gateway",
    place: "history",
    main: html`<section>
      <h2>Applications that have ended</h2>
      ${filterForm(filter, found.namespaces, queues)}${tooMany(found)}${list(filter, found)}
    </section>`,
  });
}

function list(filter: HistoryFilter, { runs, next, namespaces }: VisibleRuns): Html {
  if (namespaces.length === 0)
    return html`<p class="quiet">
      Nothing is kept of a namespace in which you may read the logs of pods (the right to get pods/log).
    </p>`;
  const pages = html`<nav class="pages" aria-label="Parts of the list">
    ${filter.after !== undefined && html`<a href="${historyAddress({ ...filter, after: undefined })}">Newest</a>`}
    ${next !== undefined && html`<a href="${historyAddress({ ...filter, after: next })}" rel="next">Older</a>`}
  </nav>`;
  if (runs.length === 0)
    return html`<p class="quiet">No application that has ended is like this.</p>
      ${pages}`;
  return html`${table(
    "Applications that have ended",
    COLUMNS,
    runs.map((run) => historyRow(run, filter)),
  )}${pages}`;
}

function historyRow(run: Run, filter: HistoryFilter): Row {
  const { namespace, uid, name, driver, attempt, state, started, ended, executors, usage, queue, why } = run;
  const { coreSeconds, gibSeconds } = reserved(usage);
  return {
    key: `run-${uid}`,
    cells: [
      html`<a href="${runAddress(run)}"><b>${name}</b></a
        ><span class="quiet">${namespace}/${driver}${attempt > 1 && `, attempt ${attempt}`}</span>`,
      html`<span class="state ${state}">${state}</span>`,
      ageSince(ended),
      html`${durationText(ended - started)}`,
      queue === undefined
        ? html``
        : html`<a href="${historyAddress({ ...filter, queue, after: undefined })}">${queue}</a>`,
      html`${executors}`,
      html`${hoursText(coreSeconds)}`,
      html`${hoursText(gibSeconds)}`,
      html`${why}`,
    ],
  };
}

function tooMany({ namespaces, asked }: VisibleRuns): Html | false {
  return (
    asked > 1 &&
    asked < namespaces.length &&
    html`<p>
      You may read the history of ${namespaces.length} namespaces. The list has the first ${asked} of them: choose a
      namespace to see others.
    </p>`
  );
}

/** It works without a script, and the address of a filtered page can be kept. */
function filterForm(
  { state, queue, name, namespace, since }: HistoryFilter,
  namespaces: readonly string[],
  queues: readonly string[],
): Html {
  const periods = [...PERIODS].map(([value, [words]]) => [value, words] as const);
  const known = namespace === undefined || namespaces.includes(namespace) ? namespaces : [...namespaces, namespace];
  return html`<form method="get" action="/history" class="filter" role="search">
    <label class="wide">Name <input type="text" name="name" value="${name}" placeholder="daily or da*" /></label>
    <label>State ${select("state", ["", "all"], same(RUN_STATES), state)}</label>
    <label>Ended ${select("since", ["", "at any time"], periods, since)}</label>
    <label>Namespace ${select("namespace", ["", "all"], same(known), namespace)}</label>
    <label>Queue <input type="text" name="queue" value="${queue}" list="queues" /></label>
    <datalist id="queues">${queues.map((path) => html`<option value="${path}"></option>`)}</datalist>
    <button>Show</button>
  </form>`;
}

type Choice = readonly [value: string, words: string];

function same(values: readonly string[]): readonly Choice[] {
  return values.map((value) => [value, value]);
}

function select(name: string, all: Choice, choices: readonly Choice[], chosen: string | undefined): Html {
  return html`<select name="${name}">
    ${[all, ...choices].map(([value, words]) =>
      value === chosen
        ? html`<option value="${value}" selected>${words}</option>`
        : html`<option value="${value}">${words}</option>`,
    )}
  </select>`;
}
