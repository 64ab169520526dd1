// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byTurns } from "./by-turns.mjs";
import { median } from "./figures.mjs";
import { measuredRun } from "./measured-run.mjs";

// V8 keeps its compiled code below the cache folder. The user's own folder may hold an incomplete cache.
const XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), "kindling-benchmark-cache-"));
process.once("exit", () => rmSync(XDG_CACHE_HOME, { recursive: true, force: true }));

/**
 * @typedef {import("./measured-run.mjs").Command & { readonly each?: number }} Compared `each`: how often it runs in a round
 */
/** @typedef {{ wall: number, cpu: number, memory: number }} Medians of wall and CPU seconds, and of peak memory in MiB */

/**
 * Runs commands by turns.
 *
 * @template {string} N
 * @param {number} rounds
 * @param {Readonly<Record<N, Compared>>} commands by their names
 * @returns {Promise<Record<N, Medians>>}
 */
export async function compare(rounds, commands) {
  const names = /** @type {N[]} */ (Object.keys(commands));
  const ways = Object.fromEntries(names.map((name) => [name, () => runsOf(commands[name])]));
  const samples = await byTurns(rounds, ways);
  const medians = names.map((name) => /** @type {const} */ ([name, mediansOf((samples[name] ?? []).flat())]));
  return /** @type {Record<N, Medians>} */ (Object.fromEntries(medians));
}

/** @param {Compared} command */
async function runsOf({ each = 1, command, args, env = {} }) {
  const runs = [];
  for (let run = 0; run < each; run++) runs.push(await measuredRun({ command, args, env: { XDG_CACHE_HOME, ...env } }));
  return runs;
}

/**
 * @param {readonly import("./measured-run.mjs").Run[]} runs
 * @returns {Medians}
 */
function mediansOf(runs) {
  return {
    wall: median(runs.map(({ wall }) => wall)),
    cpu: median(runs.map(({ cpu }) => cpu)),
    memory: median(runs.map(({ memory }) => memory)),
  };
}
