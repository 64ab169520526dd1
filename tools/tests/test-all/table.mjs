// @ts-check
// The results of suites, as a table and as one word.

/**
 * @typedef {object} Outcome
 * @property {string} name the suite
 * @property {number} [passed]
 * @property {number} [failed]
 * @property {number} [seconds]
 * @property {string} [leftOut] why the suite was not run
 * @property {boolean} [isFlake] whether it failed the first time and passed the second time
 */

/**
 * A table in Markdown: a row for each suite.
 *
 * @param {readonly Outcome[]} outcomes
 */
export function tableOf(outcomes) {
  const rows = outcomes.map(({ name, passed, failed, seconds = 0, leftOut, isFlake }) =>
    leftOut === undefined
      ? [name, `${passed}`, `${failed}${isFlake ? " (none the second time)" : ""}`, "", `${Math.round(seconds)}`]
      : [name, "", "", leftOut, ""],
  );
  const head = ["suite", "passed", "failed", "left out", "seconds"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  /** @param {readonly string[]} row */
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |\n`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |\n`;
  return [line(head), rule, ...rows.map(line)].join("");
}

/**
 * The kind of failure: one that did not happen in the second run, or one that stays.
 *
 * @param {readonly Outcome[]} outcomes
 * @returns {"flake" | "regression" | undefined} undefined if nothing has failed
 */
export function verdictOf(outcomes) {
  const failed = outcomes.filter((one) => (one.failed ?? 0) > 0);
  if (failed.length === 0) return undefined;
  return failed.every(({ isFlake }) => isFlake) ? "flake" : "regression";
}
