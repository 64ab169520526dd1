// @ts-check
const SIGNALS = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);

/**
 * Runs a task that has to clean up afterwards: a signal ends what the task waits for, and not this process.
 *
 * @template T
 * @param {(stop: AbortController) => Promise<T>} task aborted with the signal's name as reason
 * @returns {Promise<T>}
 */
export async function interruptible(task) {
  const stop = new AbortController();
  /** @param {NodeJS.Signals} name */
  const onInterrupt = (name) => stop.abort(name);
  for (const name of SIGNALS) process.on(name, onInterrupt);
  try {
    return await task(stop);
  } finally {
    for (const name of SIGNALS) process.removeListener(name, onInterrupt);
  }
}
