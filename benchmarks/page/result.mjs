// @ts-check
/**
 * A file of results: the hardware, tables, and the texts between them.
 *
 * @param {string} text as run.mjs writes it
 */
export function parseResult(text) {
  const [machine = "", ...blocks] = text.trim().split(/\n\n+/);
  const tables = blocks.filter((block) => block.startsWith("|")).map(parseTable);
  return { machine, blocks, tables };
}

/** @typedef {readonly [what: string, found: string, ...more: string[]]} ResultRow a row of a table */

/** @param {string} block */
function parseTable(block) {
  const rows = block
    .split("\n")
    .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
    .map((line) => line.slice(1, -1).split("|").map(cellText));
  const [head = [], ...body] = rows;
  return new ResultTable(head, body.map(resultRow));
}

/**
 * @param {readonly string[]} cells
 * @returns {ResultRow}
 */
function resultRow([what = "", found = "", ...more]) {
  return [what, found, ...more];
}

/** @param {string} cell */
const cellText = (cell) => cell.trim().replace(/^\*\*(.*)\*\* \(missed\)$/, "$1");

/** A table. Its cells are found by the first cells of the row and the head of the column. */
export class ResultTable {
  /**
   * @param {readonly string[]} head
   * @param {readonly ResultRow[]} rows
   */
  constructor(head, rows) {
    this.head = head;
    this.rows = rows;
  }

  /**
   * The rows with first cells that begin with these texts.
   *
   * @param {readonly string[]} begins
   */
  rowsOf(...begins) {
    return this.rows.filter((row) => begins.every((begin, index) => row[index]?.startsWith(begin)));
  }

  /**
   * @param {string | readonly string[]} row the beginning of its first cell, or of its first cells
   * @param {string} column its head, or the beginning of the head
   * @throws Error if there is no such cell, so that a changed table does not give a page with old figures
   */
  cell(row, column = "found") {
    const begins = [row].flat();
    const [found] = this.rowsOf(...begins);
    const cell = found?.[this.head.findIndex((name) => name.startsWith(column))];
    if (cell === undefined) throw new Error(`the table has no ${begins.join(", ")} / ${column}`);
    return cell;
  }
}

/** @type {Readonly<Record<string, readonly [factor: number, base: string]>>} */
const UNITS = {
  ms: [0.001, "s"],
  s: [1, "s"],
  MiB: [1, "MiB"],
  MB: [1, "MB"],
  "MiB/s": [1, "MiB/s"],
  "%": [1, "%"],
  "×": [1, "×"],
};

/**
 * The first figure of a cell: "71 ms" is 0.071 of unit "s".
 *
 * @param {string} text
 * @throws Error if the cell does not begin with a figure
 */
export function quantity(text) {
  const [, number, unit = ""] = /^([\d.,]+)(?:\s*(ms|s|MiB\/s|MiB|MB|%|×))?/.exec(text) ?? [];
  if (number === undefined) throw new Error(`no figure: ${text}`);
  const [factor, base] = UNITS[unit] ?? [1, ""];
  return { value: Number(number.replaceAll(",", "").replace(/\.$/, "")) * factor, unit: base };
}
