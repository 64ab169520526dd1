// @ts-check

/** Sizes of a monospaced letter, in units of the picture. */
const WIDTH = 8.43;
const HEIGHT = 20;
const EDGE = 18;

/** The colours that commands use, by their SGR numbers (ECMA-48, 8.3.117). */
const COLORS = new Map([
  [1, "bold"],
  [2, "dim"],
  [31, "red"],
  [32, "green"],
  [33, "yellow"],
  [36, "cyan"],
]);

const STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d6deeb}
.bold{font-weight:bold}.dim{fill:#8b98a9}.red{fill:#ff8a80}.green{fill:#5fd787}.yellow{fill:#f2c14e}.cyan{fill:#6fd3ff}
.prompt{fill:#ff9d5c}.command{fill:#fff;font-weight:bold}`;

/**
 * Draws commands and their terminal output as SVG.
 * @param {readonly { readonly command: string, readonly printed: string }[]} session
 * @param {{ readonly columns: number }} size
 */
export function terminalPicture(session, { columns }) {
  const lines = session.flatMap(({ command, printed }, index) => {
    const typed = [
      { text: "$ ", classes: "prompt" },
      { text: command, classes: "command" },
    ];
    const rows = [typed, ...shownLines(printed).map(runsOf)].flatMap((runs) => rowsOf(runs, columns));
    return [...(index === 0 ? [] : [""]), ...rows.map(drawn)];
  });
  const [width, height] = [Math.ceil(columns * WIDTH + 2 * EDGE), lines.length * HEIGHT + 2 * EDGE];
  const texts = lines.map((line, index) =>
    line === "" ? "" : `<text x="${EDGE}" y="${EDGE + 14 + index * HEIGHT}" xml:space="preserve">${line}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal: ${escaped(session.map(({ command }) => command).join("; "))}">
<style>${STYLE}</style>
<rect width="${width}" height="${height}" rx="8" fill="#10161f"/>
${texts.join("")}</svg>
`;
}

/**
 * The lines that are on the screen at the end. A line that was overwritten appears only once.
 * @param {string} printed
 */
function shownLines(printed) {
  const lines = printed
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(
      (line) => line.split("\r").findLast((part) => part.replaceAll(/\x1b\[[\d;?]*[A-Za-z]/g, "").trim() !== "") ?? "",
    );
  return lines.join("\n").trimEnd().split("\n");
}

/** @typedef {{ readonly text: string, readonly classes: string }} Run */

/**
 * The pieces of a line with the colours that escape sequences give them. Other sequences are skipped.
 * @param {string} line
 * @returns {Run[]}
 */
function runsOf(line) {
  /** @type {Set<string>} */
  let classes = new Set();
  const runs = [];
  for (const part of line.split(/(\x1b\[[\d;?]*[A-Za-z])/)) {
    const [, codes] = /^\x1b\[([\d;]*)m$/.exec(part) ?? [];
    if (codes !== undefined) {
      for (const code of codes.split(";").map(Number)) {
        const name = COLORS.get(code);
        if (name === undefined) classes = new Set();
        else classes.add(name);
      }
    } else if (part !== "" && !part.startsWith("\x1b")) {
      runs.push({ text: part, classes: [...classes].join(" ") });
    }
  }
  return runs;
}

/**
 * Continues in the next row if the line is longer than the terminal is wide.
 * @param {readonly Run[]} runs
 * @param {number} columns
 * @returns {Run[][]}
 */
function rowsOf(runs, columns) {
  /** @type {Run[][]} */
  const rows = [[]];
  let left = columns;
  for (const { text, classes } of runs) {
    for (let at = 0; at < text.length;) {
      if (left === 0) {
        rows.push([]);
        left = columns;
      }
      const piece = text.slice(at, at + left);
      rows.at(-1)?.push({ text: piece, classes });
      at += piece.length;
      left -= piece.length;
    }
  }
  return rows;
}

/** @param {readonly Run[]} row */
function drawn(row) {
  return row
    .map(({ text, classes }) => (classes === "" ? escaped(text) : `<tspan class="${classes}">${escaped(text)}</tspan>`))
    .join("");
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
