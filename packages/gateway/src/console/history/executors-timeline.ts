import type { PodLife } from "@kindling/recorder-client";
import { html, Html } from "../page/html.ts";
import { clockTime, exactTime } from "../page/moment.ts";

const WIDTH = 600;
const HEIGHT = 120;
/** More marks would hide the drawing. */
const MOST_MARKS = 100;
const DAY_MS = 86_400_000;

export interface Period {
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** How many executors there were at most in each of some equal parts of a period. Pure. */
export function countsOverTime(
  lives: readonly PodLife[],
  { from, to }: Period,
  columns: number,
): { readonly counts: readonly number[]; readonly most: number } {
  const changes = lives
    .flatMap(({ started, ended }) =>
      started === undefined || ended <= started ? [] : ([[started, 1] as const, [ended, -1] as const] as const),
    )
    // One that ends makes room for one that begins at the same moment.
    .toSorted(([a, stepA], [b, stepB]) => a - b || stepA - stepB);
  const counts: number[] = [];
  let [now, next, most] = [0, 0, 0];
  for (let column = 0; column < columns; column++) {
    const end = from + ((column + 1) / columns) * (to - from);
    let top = now;
    for (let change = changes[next]; change !== undefined && change[0] < end; change = changes[++next]) {
      now += change[1];
      top = Math.max(top, now);
    }
    counts.push(top);
    most = Math.max(most, top);
  }
  return { counts, most };
}

/** Executors over the time of a run; a red line for each that was lost. */
export function executorsTimeline(executors: readonly PodLife[], lost: readonly PodLife[], period: Period): Html {
  const { counts, most } = countsOverTime(executors, period, WIDTH);
  if (most === 0) return html`<p class="quiet">No executor had a node.</p>`;
  const span = Math.max(1, period.to - period.from);
  const marks = lost.slice(0, MOST_MARKS).map(({ ended }) => {
    const x = Math.round(Math.min(1, Math.max(0, (ended - period.from) / span)) * WIDTH);
    return html`<line class="lost" x1="${x}" x2="${x}" y1="0" y2="${HEIGHT}" />`;
  });
  const time = span > DAY_MS ? exactTime : clockTime;
  const words = `Executors over time: at most ${most} at once, ${executors.length} in all, ${lost.length} of them lost.`;
  return html`<figure>
    <div class="axes">
      <div class="scale" aria-hidden="true">
        <span>${most}</span><span>${most % 2 === 0 && most / 2}</span><span>0</span>
      </div>
      <div class="plot">
        <svg class="chart" role="img" aria-label="${words}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
          <polygon class="running" points="${outline(counts, most)}" />
          <line class="grid" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}" />
          ${marks}
        </svg>
      </div>
      <div class="times">${[period.from, (period.from + period.to) / 2, period.to].map((at) => time(at))}</div>
    </div>
    <figcaption>
      <span class="key running">at most ${most} at once, ${executors.length} in all</span>
      ${lost.length > 0 && html`<span class="key lost">${lost.length} lost</span>`}
    </figcaption>
  </figure>`;
}

/** Steps: only columns in which the number changes have points. */
function outline(counts: readonly number[], most: number): Html {
  const points: string[] = [`0,${HEIGHT}`];
  let before = 0;
  counts.forEach((count, column) => {
    if (count === before) return;
    points.push(`${column},${heightOf(before)}`, `${column},${heightOf(count)}`);
    before = count;
  });
  points.push(`${WIDTH},${heightOf(before)}`, `${WIDTH},${HEIGHT}`);
  return new Html(points.join(" "));

  function heightOf(count: number): number {
    return Math.round((HEIGHT - (count / most) * HEIGHT) * 10) / 10;
  }
}
