// @ts-check
// Reads the help texts of our programs, which all have the same form (packages/command-line): a sentence, a usage line, and
// sections of rows. The rows are either in two columns, or have the text below the name.

/** @typedef {[name: string, text: string]} Row */
/** @typedef {{ title: string, rows: Row[], lines?: undefined } | { title: string, rows?: undefined, lines: string[] }} Section */

/**
 * @param {string} text
 * @returns {{ about: string, usage: string, sections: Section[] }} the sections in their order; a section of examples has
 * `lines`, all other sections have `rows`
 */
export function parseHelp(text) {
  const [about = ""] = text.split(/^Usage: /m);
  const [, usage = ""] = /^Usage: (.*)$/m.exec(text) ?? [];
  /** @type {{ title: string, lines: string[] }[]} */
  const sections = [];
  for (const line of text.slice(text.indexOf("Usage: ")).split("\n").slice(1)) {
    const [, title] = /^(\S.*):$/.exec(line) ?? [];
    if (title !== undefined) sections.push({ title, lines: [] });
    else if (line.trim() !== "") sections.at(-1)?.lines.push(line.slice(2));
  }
  return {
    about: about.trim(),
    usage,
    sections: sections.map(({ title, lines }) =>
      title === "Examples" ? { title, lines } : { title, rows: rowsOf(lines) },
    ),
  };
}

/** @param {readonly string[]} lines */
function rowsOf(lines) {
  const isStacked = lines.some((line) => line.startsWith("    ") && !/^ {4}-/.test(line));
  /** @type {Row[]} */
  const rows = [];
  for (const line of lines) {
    if (!isStacked) {
      const [, name = "", text = ""] = /^(.+?)(?: {2,}(.*))?$/.exec(line.trim()) ?? [];
      rows.push([name, text]);
    } else if (line.startsWith("    ")) {
      const [name, text] = rows.at(-1) ?? ["", ""];
      rows.splice(-1, 1, [name, `${text} ${line.trim()}`.trim()]);
    } else {
      rows.push([line.trim(), ""]);
    }
  }
  return rows;
}
