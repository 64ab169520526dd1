// @ts-check
const WIDTH = 760;
const HEIGHT = 220;
const LEFT = 56;
const TOP = 40;
const GAP = 60;
const COLOURS = ["#1b6ca8", "#c2571a", "#3d8b40", "#7b4ea3", "#8a6d1d"];

/** @typedef {{ seconds: number, held: Readonly<Record<string, number>> }} Sample the share that each queue holds */
/** @typedef {{ title: string, samples: readonly Sample[], finished: number, of: number }} Panel */

/**
 * Shares of a cluster over time as an SVG picture, one panel above the other on one scale of time.
 *
 * @param {readonly Panel[]} panels
 * @param {Readonly<Record<string, number>>} targets the target share of each queue
 */
export function plotShares(panels, targets) {
  const queues = Object.entries(targets);
  const end = Math.max(1, ...panels.flatMap(({ samples }) => samples.map(({ seconds }) => seconds)));
  /** @param {number} seconds */
  const x = (seconds) => LEFT + (seconds / end) * WIDTH;
  const parts = panels.map(({ title, samples, finished, of }, index) => {
    const top = TOP + index * (HEIGHT + GAP);
    /** @param {number} share */
    const y = (share) => top + HEIGHT * (1 - share);
    return [
      text(LEFT, top - 10, `${title}: ${finished} of ${of} applications done`),
      ...[0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
        line(LEFT, y(share), LEFT + WIDTH, y(share), 'stroke="#ddd"'),
        text(LEFT - 8, y(share) + 4, `${share * 100} %`, 'text-anchor="end"'),
      ]),
      ...marks(end).map((seconds) => text(x(seconds), top + HEIGHT + 16, `${seconds} s`, 'text-anchor="middle"')),
      ...queues.flatMap(([queue, target], number) => {
        const points = samples.map(({ seconds, held }) => `${round(x(seconds))},${round(y(held[queue] ?? 0))}`);
        const colour = COLOURS[number % COLOURS.length];
        return [
          line(LEFT, y(target), LEFT + WIDTH, y(target), `stroke="${colour}" stroke-dasharray="4 4"`),
          `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ];
      }),
    ];
  });
  const height = TOP + panels.length * (HEIGHT + GAP);
  const legend = queues.flatMap(([queue], number) => [
    line(LEFT + number * 160, height - 4, LEFT + number * 160 + 24, height - 4, `stroke="${COLOURS[number]}"`),
    text(LEFT + number * 160 + 30, height, `${queue} (dashed: its share)`),
  ]);
  const style = 'font-family="sans-serif" font-size="12" fill="#333"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LEFT + WIDTH + 24}" height="${height + 16}" ${style}>`,
    "<title>Shares of the cluster over time, by queue</title>",
    '<rect width="100%" height="100%" fill="#fff"/>',
    ...parts.flat(),
    ...legend,
    "</svg>\n",
  ].join("\n");
}

/**
 * About eight round numbers up to a maximum.
 *
 * @param {number} end
 */
function marks(end) {
  const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((each) => end / each <= 8) ?? end;
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => index * step);
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 * @param {string} style
 */
const line = (x1, y1, x2, y2, style) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${style}/>`;
/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
const text = (x, y, words, style = "") => `<text x="${round(x)}" y="${round(y)}" ${style}>${escaped(words)}</text>`;
/** @param {string} words */
const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
