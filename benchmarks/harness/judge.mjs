// @ts-check
import { table } from "./table.mjs";

/**
 * A figure that was measured.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} found the figure as a text
 * @property {string} [wanted] the target, as a text
 * @property {boolean} [holds]
 */

/**
 * A table of figures with their targets. A figure that misses its target is marked, and the run fails in the end.
 *
 * @param {readonly Row[]} rows
 */
export function judge(rows) {
  if (rows.some(({ holds }) => holds === false)) process.exitCode = 1;
  return table([
    ["measured", "found", "wanted"],
    ...rows.map(({ what, found, wanted = "", holds = true }) => [
      what,
      holds ? found : `**${found}** (missed)`,
      wanted,
    ]),
  ]);
}

/**
 * A figure with a maximum.
 *
 * @param {string} what
 * @param {number} found
 * @param {string} unit
 * @param {number} most
 * @returns {Row}
 */
export function atMost(what, found, unit, most) {
  return { what, found: withUnit(found, unit), wanted: `at most ${withUnit(most, unit)}`, holds: found <= most };
}

/**
 * A figure with a minimum.
 *
 * @param {string} what
 * @param {number} found
 * @param {string} unit
 * @param {number} least
 * @returns {Row}
 */
export function atLeast(what, found, unit, least) {
  return { what, found: withUnit(found, unit), wanted: `at least ${withUnit(least, unit)}`, holds: found >= least };
}

/**
 * @param {number} value
 * @param {string} unit
 */
function withUnit(value, unit) {
  return `${Number(value.toPrecision(3))}${unit === "×" ? unit : unit === "" ? "" : ` ${unit}`}`;
}

/**
 * A row for something that was not measured.
 *
 * @param {string} what
 * @param {string} why
 * @returns {Row}
 */
export function leftOut(what, why) {
  return { what, found: `left out: ${why}` };
}
