// @ts-check
import { sleep } from "./wait.mjs";

const LOOK_MS = 250;

/**
 * Waits until some runs have ended, or until nothing has been done for a while: then nothing will be. In the end the runs are
 * told to stop, and the reasons of those that failed are printed.
 *
 * @param {readonly Promise<unknown>[]} runs
 * @param {object} options
 * @param {() => number} options.done how much is done; it only grows
 * @param {number} options.stuckMs
 * @param {() => boolean} [options.mayRest] whether it is no fault now that nothing is done
 * @param {(now: number) => void} [options.onLook] called several times a second
 * @param {() => void} options.stop tells the runs to end
 * @returns {Promise<number>} when something was done last, on the clock of `performance`
 */
export async function untilDone(runs, { done, stuckMs, mayRest = () => false, onLook = () => {}, stop }) {
  const all = Promise.allSettled(runs);
  let last = { done: 0, at: performance.now() };
  for (let ended = false; !ended;) {
    ended = await Promise.race([all.then(() => true), sleep(LOOK_MS).then(() => false)]);
    const now = performance.now();
    onLook(now);
    const soFar = done();
    if (soFar > last.done) last = { done: soFar, at: now };
    if (!mayRest() && now - last.at > stuckMs) break;
  }
  stop();
  for (const one of await all) if (one.status === "rejected") process.stderr.write(`${String(one.reason)}\n`);
  return last.at;
}
