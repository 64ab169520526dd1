// @ts-check
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("../gateway/driver.mjs").Driver} Driver */
/**
 * What an application has to do, and with how many executors.
 *
 * @typedef {object} Job
 * @property {number} tasks each takes one executor
 * @property {number} taskSeconds how long a task takes
 * @property {number} most how many executors it may have
 * @property {number} minimum how many it keeps to its end
 */
/** @typedef {{ done: number, lostSeconds: number }} Progress tasks that are done, and time of tasks that was lost with executors */

const LOOK_MS = 100;
// Spark asks for executors each second, and gives an executor back that has been idle for a minute. A day is short here.
const BATCH_DELAY_MS = 1_000;
const IDLE_MS = 4_000;

/**
 * Runs the tasks of a job as Spark with dynamic allocation does: it wants an executor for each task that is not done, up to
 * the most, and gives back those that are idle. The task of an executor that is lost is run again.
 *
 * @param {Driver} driver
 * @param {Job} job
 * @param {Progress} progress is kept up to date
 * @param {AbortSignal} signal
 */
export async function runTasks(driver, { tasks, taskSeconds, most, minimum }, progress, signal) {
  let waiting = tasks;
  let asked = performance.now() - BATCH_DELAY_MS;
  /** When the task of each executor began. @type {Map<string, number>} */
  const busy = new Map();
  /** Since when each executor has been idle, or has been requested. @type {Map<string, number>} */
  const idle = new Map();
  while (progress.done < tasks && !signal.aborted) {
    await sleep(LOOK_MS);
    const now = performance.now();
    endTasks(now);
    beginTasks(now);
    if (now - asked < BATCH_DELAY_MS) continue;
    asked = now;
    const wanted = Math.max(minimum, Math.min(most, waiting + busy.size));
    await driver.batch(wanted);
    await giveBack(wanted, now);
  }

  /** @param {number} now */
  function endTasks(now) {
    for (const [name, began] of busy) {
      const isLost = driver.phases.get(name) !== "Running";
      if (!isLost && now - began < taskSeconds * 1000) continue;
      busy.delete(name);
      if (isLost) {
        waiting += 1;
        progress.lostSeconds += (now - began) / 1000;
      } else {
        progress.done += 1;
      }
    }
  }

  /** @param {number} now */
  function beginTasks(now) {
    for (const [name, phase] of driver.phases) {
      if (busy.has(name)) continue;
      if (phase === "Running" && waiting > 0) {
        waiting -= 1;
        busy.set(name, now);
        idle.delete(name);
      } else if (!idle.has(name)) {
        idle.set(name, now);
      }
    }
    for (const name of idle.keys()) if (!driver.phases.has(name)) idle.delete(name);
  }

  /**
   * @param {number} wanted
   * @param {number} now
   */
  async function giveBack(wanted, now) {
    let tooMany = driver.phases.size - wanted;
    for (const [name, since] of idle) {
      if (tooMany <= 0) return;
      if (now - since < IDLE_MS) continue;
      tooMany -= 1;
      await driver.release(name);
    }
  }
}
