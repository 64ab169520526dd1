// @ts-check
// What a recorder has kept of executors, as its ledger and its archive say.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sleep } from "../../harness/wait.mjs";

/** @typedef {import("../recorder-process.mjs").RecorderProcess} RecorderProcess */
/** @typedef {{ uid: string }} Run the members that are used */
/** @typedef {{ role: string, executor?: string, logGap?: string }} Life the members that are used */

const PATIENCE_MS = 15 * 60_000;

/**
 * Waits until so many runs are kept.
 *
 * @param {RecorderProcess} recorder
 * @param {number} count
 * @returns {Promise<Run[]>}
 */
export async function untilKept({ uri, complaints }, count) {
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    const { runs } = /** @type {{ runs: Run[] }} */ (
      await (await fetch(new URL("api/v1/runs?limit=1000", uri))).json()
    );
    if (runs.length >= count) return runs;
    if (performance.now() > giveUp) throw new Error(`${runs.length} runs are kept: ${complaints.slice(-3).join("\n")}`);
    await sleep(250);
  }
}

/**
 * Counts the executors in the ledger. `told`: the ledger says that something of the log may be missing. `untold`: the log is not
 * whole, and the ledger does not say so.
 *
 * @param {RecorderProcess} recorder
 * @param {string} archive its folder
 * @param {number} lines of each log
 */
export async function keptLogs(recorder, archive, lines) {
  const [found, paths] = [{ executors: 0, told: 0, untold: 0 }, readdirSync(archive, { recursive: true })];
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const path of paths.map(String).sort()) {
    const [, uid, log] = /([^/]+)\/logs\/([^/]+)\/\d+\.log\.gz$/.exec(path) ?? [];
    if (uid !== undefined) parts.set(`${uid}/${log}`, [...(parts.get(`${uid}/${log}`) ?? []), path]);
  }
  const count = (/** @type {readonly string[]} */ files) =>
    files
      .map((file) => gunzipSync(readFileSync(join(archive, file))).toString())
      .join("")
      .split("\n").length - 1;
  for (const { uid } of await untilKept(recorder, 0)) {
    const ledger = await (await fetch(new URL(`api/v1/runs/${uid}/executors`, recorder.uri))).text();
    for (const line of ledger.trimEnd().split("\n")) {
      /** @type {Life} */
      const { role, executor, logGap } = JSON.parse(line);
      if (role !== "executor") continue;
      found.executors++;
      if (logGap !== undefined) found.told++;
      else if (count(parts.get(`${uid}/executor-${executor}`) ?? []) !== lines) found.untold++;
    }
  }
  return found;
}
