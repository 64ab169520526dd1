// @ts-check
// A day of applications on a cluster with Karpenter, in some minutes: few at night, more than the nodes can take at noon.
import { Random } from "@kindling/test-kit/random";
import { amount } from "../harness/environment.mjs";
import { untilDone } from "../harness/until-done.mjs";
import { sleep } from "../harness/wait.mjs";
import { runDriver, submit } from "../gateway/shares/run-application.mjs";
import { onNodePool } from "./on-node-pool.mjs";
import { runTasks } from "./run-tasks.mjs";
import { AUTO, STOCK } from "./ways.mjs";

const LIMIT = 64;
const MINUTES = amount("KINDLING_BENCH_MINUTES", 6);
const SEED = amount("KINDLING_BENCH_SEED", 20_261_129);
const MINIMUM = 2;
const MOST = 24;
/** Applications for each minute at noon; at midnight there are none. */
const RATE = 16;
/** If no task is done for this long, none will be. */
const STUCK_MS = 60_000;
const MOST_NODE_HOURS = 0.7;
const MOST_LOST = 0.1;

/** @typedef {import("./run-tasks.mjs").Job & { at: number }} Arrival `at` in milliseconds */
/** @typedef {import("./run-tasks.mjs").Progress} Progress */
/** @typedef {{ finished: number, seconds: number, nodeHours: number, cpuHours: number, lostSeconds: number, meanSeconds: number }} Outcome `meanSeconds` from the submission of an application to its end */

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function day(server) {
  const arrivals = arrivalsOf(new Random(SEED));
  const stock = await measured(server, STOCK, arrivals);
  const ours = await measured(server, AUTO, arrivals);
  const what = `a day of ${arrivals.length} applications in ${MINUTES} minutes (seed ${SEED}), by`;
  const part = ours.cpuHours / stock.cpuHours;
  return [
    { what: `${what} ${STOCK.name}`, found: words(stock) },
    {
      what: `${what} ${AUTO.name}`,
      found: words(ours),
      wanted: "all",
      holds: ours.finished === arrivals.length,
    },
    {
      what: "hours of the nodes' processors through the gateway, compared with Spark's own scheduling",
      found: `${(part * 100).toFixed(0)} %`,
      wanted: `at most ${MOST_NODE_HOURS * 100} %`,
      holds: part <= MOST_NODE_HOURS,
    },
    {
      what: "time of tasks that was lost because Karpenter took nodes away, with Spark's own scheduling and through the gateway",
      found: `${stock.lostSeconds.toFixed(0)} s, ${ours.lostSeconds.toFixed(0)} s`,
      wanted: "at most a tenth",
      holds: ours.lostSeconds <= stock.lostSeconds * MOST_LOST,
    },
  ];
}

/** @param {Outcome} outcome */
function words({ finished, seconds, meanSeconds, nodeHours, cpuHours }) {
  const times = `${finished} are done after ${seconds.toFixed(0)} s, each in ${meanSeconds.toFixed(0)} s on average`;
  return `${times}; ${(nodeHours * 60).toFixed(0)} minutes of nodes, ${(cpuHours * 60).toFixed(0)} of their processors`;
}

/**
 * @param {Random} random
 * @returns {readonly Arrival[]}
 */
function arrivalsOf(random) {
  const length = MINUTES * 60_000;
  const arrivals = [];
  for (let at = 0; ;) {
    at += (-Math.log(1 - random.fraction()) * 60_000) / RATE;
    if (at >= length) return arrivals;
    const busy = (1 - Math.cos((2 * Math.PI * at) / length)) / 2;
    if (!random.chance(busy)) continue;
    // Most applications are small, and a few have most of the work.
    const tasks = Math.round(4 * 30 ** random.fraction());
    arrivals.push({ at, tasks, taskSeconds: 3 + random.below(8), most: MOST, minimum: MINIMUM });
  }
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {import("./ways.mjs").Way} way
 * @param {readonly Arrival[]} arrivals
 * @returns {Promise<Outcome>}
 */
async function measured(server, way, arrivals) {
  return await onNodePool(server, { name: "day", cpus: LIMIT, way }, (options, nodes) =>
    runAll(options, nodes, arrivals),
  );
}

/**
 * @param {import("../gateway/shares/run-application.mjs").Way} way
 * @param {import("./follow-nodes.mjs").SeenNodes} nodes
 * @param {readonly Arrival[]} arrivals
 * @returns {Promise<Outcome>}
 */
async function runAll(way, nodes, arrivals) {
  const over = new AbortController();
  const began = performance.now();
  /** @type {readonly Progress[]} */
  const progress = arrivals.map(() => ({ done: 0, lostSeconds: 0 }));
  /** @type {number[]} */
  const took = [];
  /** @type {(job: Arrival, index: number) => Promise<void>} */
  const run = async (job, index) => {
    await sleep(job.at);
    const options = { ...way, minimum: MINIMUM, signal: over.signal };
    const application = await submit({ queue: "default", name: `app-${index}`, done: 0 }, options);
    const submitted = performance.now();
    await runDriver(application, options, async (driver) => {
      const own = progress[index];
      if (own !== undefined) await runTasks(driver, job, own, over.signal);
      if (!over.signal.aborted) took.push((performance.now() - submitted) / 1000);
    });
  };
  // Read before the applications are told to end, which takes a while.
  let hours = { nodeHours: 0, cpuHours: 0 };
  const at = await untilDone(arrivals.map(run), {
    done: () => progress.reduce((sum, one) => sum + one.done, 0),
    stuckMs: STUCK_MS,
    mayRest: () => performance.now() - began < MINUTES * 60_000,
    stop() {
      hours = { nodeHours: nodes.hours(), cpuHours: nodes.cpuHours() };
      over.abort();
    },
  });
  return {
    finished: arrivals.filter(({ tasks }, index) => (progress[index]?.done ?? 0) >= tasks).length,
    seconds: (at - began) / 1000,
    ...hours,
    lostSeconds: progress.reduce((sum, one) => sum + one.lostSeconds, 0),
    meanSeconds: took.reduce((sum, one) => sum + one, 0) / took.length,
  };
}
