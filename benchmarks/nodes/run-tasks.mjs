// @ts-check
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("../gateway/driver.mjs").Driver} Driver */
/**
 * What an application has to do, and with how many executors.
 *
 * @typedef {object} Job
 * @property {readonly (readonly number[])[]} stages the seconds of each task of each stage; a stage begins when the one before is done
 * @property {number} most how many executors it may have
 * @property {number} minimum how many it keeps to its end
 */
/** @typedef {{ done: number, doneSeconds: number, lostSeconds: number }} Progress tasks that are done, their time, and time of tasks that was lost with executors */

const LOOK_MS = 100;
// Spark asks for executors each second, and gives an executor back that has been idle for a minute. A day is short here.
const BATCH_DELAY_MS = 1_000;
const IDLE_MS = 4_000;

/**
 * Runs the stages of a job as Spark with dynamic allocation does: it wants an executor for each task that is not done, up to
 * the most, and gives back those that are idle. The task of an executor that is lost is run again.
 *
 * @param {Driver} driver
 * @param {Job} job
 * @param {Progress} progress is kept up to date
 * @param {AbortSignal} signal
 */
export async function runTasks(driver, { stages, most, minimum }, progress, signal) {
  const later = stages.slice(1);
  let waiting = [...(stages[0] ?? [])];
  let asked = performance.now() - BATCH_DELAY_MS;
  /** The task of each executor, and when it began. @type {Map<string, { seconds: number, began: number }>} */
  const busy = new Map();
  /** Since when each executor has been idle, or has been requested. @type {Map<string, number>} */
  const idle = new Map();
  /** Executors that were given back, as long as they are seen. They get no tasks. @type {Set<string>} */
  const released = new Set();
  while (!signal.aborted) {
    await sleep(LOOK_MS);
    const now = performance.now();
    endTasks(now);
    if (waiting.length === 0 && busy.size === 0) {
      const next = later.shift();
      if (next === undefined) return;
      waiting = [...next];
    }
    beginTasks(now);
    if (now - asked < BATCH_DELAY_MS) continue;
    asked = now;
    const wanted = Math.max(minimum, Math.min(most, waiting.length + busy.size));
    await driver.batch(wanted);
    await giveBack(wanted, now);
  }

  /** @param {number} now */
  function endTasks(now) {
    for (const [name, { seconds, began }] of busy) {
      const isLost = driver.phases.get(name) !== "Running";
      if (!isLost && now - began < seconds * 1000) continue;
      busy.delete(name);
      if (isLost) {
        waiting.push(seconds);
        progress.lostSeconds += (now - began) / 1000;
      } else {
        progress.done += 1;
        progress.doneSeconds += seconds;
      }
    }
  }

  /** @param {number} now */
  function beginTasks(now) {
    for (const [name, phase] of driver.phases) {
      if (busy.has(name) || released.has(name)) continue;
      const seconds = phase === "Running" ? waiting.shift() : undefined;
      if (seconds !== undefined) {
        busy.set(name, { seconds, began: now });
        idle.delete(name);
      } else if (!idle.has(name)) {
        idle.set(name, now);
      }
    }
    for (const names of [idle, released])
      for (const name of names.keys()) if (!driver.phases.has(name)) names.delete(name);
  }

  /**
   * @param {number} wanted
   * @param {number} now
   */
  async function giveBack(wanted, now) {
    let tooMany = driver.phases.size - released.size - wanted;
    for (const [name, since] of idle) {
      if (tooMany <= 0) return;
      if (now - since < IDLE_MS) continue;
      tooMany -= 1;
      idle.delete(name);
      released.add(name);
      await driver.release(name);
    }
  }
}
