// @ts-check
// Ten applications that together want five times the limit of a NodePool: which nodes are made for that, and how long it takes.
import { amount } from "../harness/environment.mjs";
import { untilDone } from "../harness/until-done.mjs";
import { runApplication, submit } from "../gateway/shares/run-application.mjs";
import { onNodePool } from "./on-node-pool.mjs";
import { AUTO, GATED, STOCK } from "./ways.mjs";

const APPLICATIONS = 10;
const LIMIT = 24;
/** Processors of an application: one for each of its executors, and one for its driver. */
const EACH = (5 * LIMIT) / APPLICATIONS;
const MINIMUM = 2;
/** Seconds that one executor would need for all of an application's work. */
const WORK = amount("KINDLING_BENCH_WORK", 120);
/** If no application makes progress for this long, none will. */
const STUCK_MS = 60_000;

/** @typedef {{ finished: number, seconds: number, made: number, useless: number, nodeHours: number }} Outcome */

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function contention(server) {
  const outcomes = [];
  for (const way of [STOCK, GATED, AUTO]) {
    outcomes.push({ way, outcome: await onNodePool(server, { name: "bench", cpus: LIMIT, way }, runAll) });
  }
  const best = Math.min(
    ...outcomes.flatMap(({ outcome: { finished, seconds } }) => (finished === APPLICATIONS ? [seconds] : [])),
  );
  return outcomes.flatMap(({ way, outcome }) => {
    const { finished, seconds, made, useless, nodeHours } = outcome;
    const isOurs = way === AUTO;
    const time =
      finished === 0
        ? `none is done, and nothing happens for ${STUCK_MS / 1000} s`
        : `${finished} are done after ${seconds.toFixed(0)} s`;
    return [
      {
        what: `ten applications that want five times the NodePool's limit, by ${way.name}`,
        found: time,
        ...(isOurs && {
          wanted: `all, within a tenth of the best (${best.toFixed(0)} s)`,
          holds: finished === APPLICATIONS && seconds <= best * 1.1,
        }),
      },
      {
        what: "nodes made for them, and nodes on which no executor ever ran",
        found: `${made}, ${useless}; ${(nodeHours * 60).toFixed(0)} minutes of nodes`,
        ...(isOurs && { wanted: "none without an executor", holds: useless === 0 }),
      },
    ];
  });
}

/**
 * @param {import("../gateway/shares/run-application.mjs").Way} way
 * @param {import("./follow-nodes.mjs").SeenNodes} nodes
 * @returns {Promise<Outcome>}
 */
async function runAll(way, nodes) {
  const over = new AbortController();
  const began = performance.now();
  const applications = await Promise.all(
    Array.from({ length: APPLICATIONS }, (_, index) =>
      submit({ queue: "default", name: `app-${index}`, done: 0 }, { ...way, minimum: MINIMUM }),
    ),
  );
  const options = { ...way, executors: EACH - 1, minimum: MINIMUM, work: WORK, signal: over.signal };
  const at = await untilDone(
    applications.map((application) => runApplication(application, options)),
    { done: () => applications.reduce((sum, one) => sum + one.done, 0), stuckMs: STUCK_MS, stop: () => over.abort() },
  );
  return {
    finished: applications.filter(({ done }) => done >= WORK).length,
    seconds: (at - began) / 1000,
    made: nodes.made(),
    useless: nodes.useless(),
    nodeHours: nodes.hours(),
  };
}
