// @ts-check
// Figures computed from many samples, and how figures are written.

/**
 * The value that is above this part of all values; not a number, if there are no values.
 *
 * @param {readonly number[]} values in any order
 * @param {number} part from 0 to 1
 */
export function quantile(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/** @param {number} value */
export const seconds = (value) => (value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`);

/** @param {number} value */
export const mebibytes = (value) => `${Math.round(value)} MiB`;

/** @param {number} value below 1 */
export const fraction = (value) => `1/${(1 / value).toFixed(1)}`;
