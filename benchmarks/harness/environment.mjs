// @ts-check
// What benchmarks read from the environment, and what they pass on to the processes that they start.

/** Node 20 reads these certificates at its start, and that time would be measured. */
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;

/** The environment of processes that are measured. */
export const ENVIRONMENT = inherited;

/**
 * How much of something a benchmark does.
 *
 * @param {string} variable that sets the amount
 * @param {number} otherwise the amount without the variable
 */
export function amount(variable, otherwise) {
  return Number(process.env[variable] ?? otherwise);
}
