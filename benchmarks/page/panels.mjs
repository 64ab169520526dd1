// @ts-check
// Panels of bars, made from cells of tables.
import { quantity } from "./result.mjs";

/** @typedef {import("./result.mjs").ResultTable} ResultTable */
/** @typedef {import("./bars.mjs").Panel} Panel */
/** @typedef {readonly (readonly [row: string | readonly string[], label: string])[]} Rows each with its label */

/**
 * @param {string | readonly string[]} row
 * @param {string} label
 * @returns {Rows[number]}
 */
export const rowOf = (row, label) => [row, label];

/**
 * Bars of some rows, one for each of some columns.
 *
 * @param {string} title
 * @param {ResultTable} table
 * @param {Rows} rows
 * @param {readonly string[]} columns
 * @param {readonly string[]} names of the columns
 */
export function byColumn(title, table, rows, columns, names = columns) {
  return panel(
    title,
    names,
    rows.map(([row, label]) => ({ label, texts: columns.map((column) => table.cell(row, column)) })),
  );
}

/**
 * Bars of some rows of one column.
 *
 * @param {string} title
 * @param {ResultTable} table
 * @param {Rows} rows
 * @param {string} column
 */
export function byRow(title, table, rows, column = "found") {
  return panel(
    title,
    [title],
    rows.map(([row, label]) => ({ label, texts: [table.cell(row, column)] })),
  );
}

/**
 * @param {string} title
 * @param {readonly string[]} series
 * @param {readonly { label: string, texts: readonly string[] }[]} groups
 * @returns {Panel}
 */
export function panel(title, series, groups) {
  /** @param {string} cell */
  const bar = (cell) => {
    // What comes after the figure, such as a ratio, is only in the table.
    const [text] = /^[\d.,]+\d?(\s*(ms|s|MiB\/s|MiB|MB|%|×))?/.exec(cell) ?? [cell];
    return { text: text.replace(/,$/, ""), value: quantity(cell).value };
  };
  return { title, series, groups: groups.map(({ label, texts }) => ({ label, bars: texts.map(bar) })) };
}
