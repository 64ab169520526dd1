// @ts-check
// What benchmarks read of the environment, and what they hand on to the processes that they start.

/** Node 20 reads certificates at its start, which would be measured. */
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;

/** The environment of processes that are measured. */
export const ENVIRONMENT = inherited;

/**
 * How much of something a benchmark does.
 *
 * @param {string} variable that makes it more or less
 * @param {number} otherwise without it
 */
export function amount(variable, otherwise) {
  return Number(process.env[variable] ?? otherwise);
}
