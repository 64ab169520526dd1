// @ts-check
// Horizontal bars as an SVG picture. The picture has its own background, so that it is legible on any page.
const WIDTH = 760;
const PAD = 16;
const LABELS = 210;
const BARS = 400;
const ROW = 20;
const SERIES = ["a", "b", "c", "d"];

const STYLE = `svg{font:12px system-ui,-apple-system,sans-serif}
.bg{fill:#fff;stroke:#d5d9e0}.t{fill:#1f2328}.m{fill:#57606a}.h{font-weight:600}.x{stroke:#d5d9e0}
.a{fill:#8c96a5}.b{fill:#2f6fdb}.c{fill:#c07a1e}.d{fill:#7b4ea3}
@media(prefers-color-scheme:dark){.bg{fill:#15181d;stroke:#3a404a}.t{fill:#e6e8eb}.m{fill:#a5adb8}.x{stroke:#3a404a}
.a{fill:#7f8a99}.b{fill:#5b93f2}.c{fill:#d9973f}.d{fill:#a57fd0}}`;

/** @typedef {{ readonly value: number, readonly text: string }} Bar */

/**
 * @typedef {object} Panel bars of one unit, on one scale from zero
 * @property {string} title
 * @property {readonly string[]} series at most four; Kindling's series is the second
 * @property {readonly { label: string, bars: readonly Bar[] }[]} groups a bar for each of the series
 */

/**
 * @param {string} title a text for readers who cannot see the picture
 * @param {readonly Panel[]} panels one below the other
 */
export function barsPicture(title, panels) {
  let y = PAD;
  const parts = panels.flatMap((panel) => {
    const { height, lines } = drawPanel(panel, y);
    y += height + PAD;
    return lines;
  });
  const head = `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}">`;
  const background = `<rect class="bg" x="0.5" y="0.5" width="${WIDTH - 1}" height="${y - 1}" rx="6"/>`;
  return [head, `<title>${escaped(title)}</title>`, `<style>${STYLE}</style>`, background, ...parts, "</svg>\n"].join(
    "\n",
  );
}

/**
 * @param {Panel} panel
 * @param {number} top
 */
function drawPanel({ title, series, groups }, top) {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)), Number.MIN_VALUE);
  const lines = [text("t h", PAD, top + 12, title)];
  let y = top + 24;
  if (series.length > 1) {
    let x = PAD;
    for (const [index, name] of series.entries()) {
      lines.push(rect(SERIES[index], x, y, 10, 10), text("m", x + 16, y + 9, name));
      // Wide enough for the letters of every system font.
      x += 40 + name.length * 7;
    }
    y += 22;
  }
  const begin = y;
  for (const { label, bars } of groups) {
    lines.push(text("t", PAD + LABELS - 12, y + (bars.length * ROW) / 2 + 3, label, ' text-anchor="end"'));
    for (const [index, { value, text: words }] of bars.entries()) {
      const width = Math.max(1, (value / most) * BARS);
      const shown = series.length > 1 ? SERIES[index] : "b";
      lines.push(rect(shown, PAD + LABELS, y + 3, width, ROW - 6));
      lines.push(text("t", PAD + LABELS + width + 6, y + ROW / 2 + 4, words));
      y += ROW;
    }
    y += 8;
  }
  const axis = PAD + LABELS;
  lines.push(`<line class="x" x1="${axis}" y1="${begin}" x2="${axis}" y2="${y - 8}"/>`);
  return { height: y - 8 - top, lines };
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/**
 * @param {string | undefined} style
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 */
const rect = (style, x, y, width, height) =>
  `<rect class="${style}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2"/>`;
/**
 * @param {string} style
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
const text = (style, x, y, words, more = "") =>
  `<text class="${style}" x="${round(x)}" y="${round(y)}"${more}>${escaped(words)}</text>`;
/** @param {string} words */
const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
