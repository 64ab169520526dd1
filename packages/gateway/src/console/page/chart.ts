import type { Sample } from "./history.ts";
import { html, Html } from "./html.ts";
import { clockTime } from "./moment.ts";

const WIDTH = 600;
const HEIGHT = 120;

/** From bottom to top; each area is drawn on top of the earlier ones. */
const LAYERS = ["running", "starting", "waiting"] as const;

/** Executors over time, as areas that lie on one another. The last sample is at the right edge. */
export function executorsChart(samples: readonly Sample[]): Html {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last) {
    return html`<p class="quiet">The chart begins when there is something to draw.</p>`;
  }
  const top = Math.max(1, ...samples.map(({ running, starting, waiting }) => running + starting + waiting));
  const x = ({ at }: Sample): string => place(((at - first.at) / Math.max(1, last.at - first.at)) * WIDTH);
  const y = (count: number): string => place(HEIGHT - (count / top) * HEIGHT);
  const heightUpTo = (sample: Sample, layer: number): number =>
    LAYERS.slice(0, layer).reduce((sum, name) => sum + sample[name], 0);
  const areas = LAYERS.map((name, layer) => {
    const over = samples.map((sample) => `${x(sample)},${y(heightUpTo(sample, layer + 1))}`);
    const under = samples.map((sample) => `${x(sample)},${y(heightUpTo(sample, layer))}`).reverse();
    return html`<polygon class="${name}" points="${new Html([...over, ...under].join(" "))}" />`;
  });
  const minutes = Math.max(1, Math.round((last.at - first.at) / 60_000));
  const span = minutes === 1 ? "the last minute" : `the last ${minutes} minutes`;
  const words = `Executors over ${span}: at most ${top}; now ${last.running} running, ${last.starting} starting, ${last.waiting} waiting.`;
  return html`<figure>
    <div class="axes">
      <div class="scale" aria-hidden="true">
        <span>${top}</span><span>${top % 2 === 0 && top / 2}</span><span>0</span>
      </div>
      <div class="plot">
        <svg class="chart" role="img" aria-label="${words}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
          ${areas}
          <line class="grid" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}" />
        </svg>
      </div>
      <div class="times">${[first.at, (first.at + last.at) / 2, last.at].map((at) => clockTime(at))}</div>
    </div>
    <figcaption>
      <span class="quiet">Executors now:</span>
      ${LAYERS.map((name) => html`<span class="key ${name}">${last[name]} ${name}</span> `)}<span class="quiet"
        >At most ${top} in ${span}.</span
      >
    </figcaption>
  </figure>`;
}

/** Tenths of a unit are precise enough for a screen, and shorter than all digits. */
function place(value: number): string {
  return String(Math.round(value * 10) / 10);
}
