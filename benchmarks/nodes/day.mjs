// @ts-check
// A day of applications on a cluster with Karpenter, in some minutes: few at night, more than the nodes can take at noon.
import { isNotFound, resources } from "@kindling/kube";
import { Random } from "@kindling/test-kit/random";
import { amount } from "../harness/environment.mjs";
import { untilDone } from "../harness/until-done.mjs";
import { sleep } from "../harness/wait.mjs";
import { runDriver, submit } from "../gateway/shares/run-application.mjs";
import { onNodePool } from "./on-node-pool.mjs";
import { runTasks } from "./run-tasks.mjs";
import { AUTO, STOCK } from "./ways.mjs";

const LIMIT = 64;
const MINUTES = amount("KINDLING_BENCH_MINUTES", 30);
const SEED = amount("KINDLING_BENCH_SEED", 20_261_129);
const MINIMUM = 2;
const MOST = 24;
/** Applications for each minute at noon; at midnight there are none. */
const RATE = 4;
const LOOK_MS = 250;
/** If no task is done for this long, none will be. */
const STUCK_MS = 120_000;
const MOST_NODE_HOURS = 0.7;
const MOST_LOST = 0.1;

/** @typedef {import("./run-tasks.mjs").Job & { at: number }} Arrival `at` in milliseconds */
/** @typedef {import("./run-tasks.mjs").Progress} Progress */
/** @typedef {{ finished: number, seconds: number, nodeHours: number, cpuHours: number, lostSeconds: number, restarts: number, meanSeconds: number }} Outcome `restarts` of applications that lost their drivers; `meanSeconds` from the submission of an application to its end */

/**
 * A day on nodes that Karpenter takes away when they are empty, as it is often set for Spark: what the nodes cost.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function day(server) {
  const { stock, ours, rows } = await both(server, { name: "day", consolidation: { when: "WhenEmpty", after: "0s" } });
  const part = ours.cpuHours / stock.cpuHours;
  return [
    ...rows,
    {
      what: "hours of the nodes' processors through the gateway, compared with Spark's own scheduling",
      found: `${(part * 100).toFixed(0)} %`,
      wanted: `at most ${MOST_NODE_HOURS * 100} %`,
      holds: part <= MOST_NODE_HOURS,
    },
  ];
}

/**
 * A day on nodes that Karpenter also takes away, or replaces, while pods run there, which is how it is set by default: what
 * is lost with them.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function consolidated(server) {
  const consolidation = /** @type {const} */ ({ when: "WhenEmptyOrUnderutilized", after: "0s" });
  const { stock, ours, rows } = await both(server, { name: "consolidated", consolidation });
  return [
    ...rows,
    {
      what: "time of tasks that was lost because Karpenter took nodes away, with Spark's own scheduling and through the gateway",
      found: `${stock.lostSeconds.toFixed(0)} s, ${ours.lostSeconds.toFixed(0)} s`,
      wanted: "at most a tenth",
      holds: ours.lostSeconds <= stock.lostSeconds * MOST_LOST,
    },
  ];
}

/**
 * The same applications on nodes of the same kind, by Spark's own scheduling and through the gateway.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {{ name: string, consolidation: import("./node-pool.mjs").Consolidation }} pool
 */
async function both(server, { name, consolidation }) {
  const arrivals = arrivalsOf(new Random(SEED));
  /** @param {import("./ways.mjs").Way} way */
  const measured = (way) =>
    onNodePool(server, { name, cpus: LIMIT, consolidation, way }, (options, nodes) => runAll(options, nodes, arrivals));
  // At the same time, so that both meet the same autoscaler in the same mood.
  const [stock, ours] = await Promise.all([measured(STOCK), measured(AUTO)]);
  const what = `a day of ${arrivals.length} applications in ${MINUTES} minutes (seed ${SEED}), nodes taken ${consolidation.when}, by`;
  const rows = [
    { what: `${what} ${STOCK.name}`, found: words(stock) },
    { what: `${what} ${AUTO.name}`, found: words(ours), wanted: "all", holds: ours.finished === arrivals.length },
  ];
  return { stock, ours, rows };
}

/** @param {Outcome} outcome */
function words({ finished, seconds, meanSeconds, restarts, nodeHours, cpuHours }) {
  const began = restarts === 0 ? "" : `, ${restarts} times one had to begin again`;
  const times = `${finished} are done after ${seconds.toFixed(0)} s, each in ${meanSeconds.toFixed(0)} s on average${began}`;
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
    const stages = Array.from({ length: 2 + random.below(5) }, () => stageOf(random));
    arrivals.push({ at, stages, most: MOST, minimum: MINIMUM });
  }
}

/**
 * A stage has many tasks, or few. Some tasks take much longer than the others.
 *
 * @param {Random} random
 * @returns {readonly number[]} the seconds of its tasks
 */
function stageOf(random) {
  const tasks = random.chance(0.5) ? 8 + random.below(56) : 1 + random.below(6);
  const seconds = 5 + random.below(15);
  return Array.from({ length: tasks }, () => seconds * (0.5 + random.fraction()) * (random.chance(0.05) ? 3 : 1));
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
  const progress = arrivals.map(() => ({ done: 0, doneSeconds: 0, lostSeconds: 0 }));
  /** @type {number[]} */
  const took = [];
  let restarts = 0;
  /** @type {(job: Arrival, index: number) => Promise<void>} */
  const run = async (job, index) => {
    await sleep(job.at);
    const submitted = performance.now();
    const own = progress[index] ?? { done: 0, doneSeconds: 0, lostSeconds: 0 };
    for (let life = 0; !over.signal.aborted; life++) {
      const application = { queue: "default", name: `app-${index}-${life}`, done: 0 };
      if (await isRunToItsEnd(application, { way, job, progress: own, signal: over.signal })) break;
      if (!over.signal.aborted) restarts += 1;
    }
    if (!over.signal.aborted) took.push((performance.now() - submitted) / 1000);
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
    finished: took.length,
    seconds: (at - began) / 1000,
    ...hours,
    lostSeconds: progress.reduce((sum, one) => sum + one.lostSeconds, 0),
    restarts,
    meanSeconds: took.reduce((sum, one) => sum + one, 0) / took.length,
  };
}

/**
 * Runs an application. If its driver's pod is taken away, everything that it has done is lost.
 *
 * @param {import("../gateway/shares/run-application.mjs").Application} application
 * @param {{ way: import("../gateway/shares/run-application.mjs").Way, job: Arrival, progress: Progress, signal: AbortSignal }} of
 * @returns {Promise<boolean>} whether it came to its end
 */
async function isRunToItsEnd(application, { way, job, progress, signal }) {
  const lost = new AbortController();
  const life = AbortSignal.any([signal, lost.signal]);
  const options = { ...way, minimum: MINIMUM, signal: life };
  const submitted = await submit(application, options);
  progress.doneSeconds = 0;
  let isDone = false;
  /** Ends this life of the application if its driver's pod is gone. */
  const look = async () => {
    if (isDone || life.aborted || (await isThere(way, submitted))) return;
    lost.abort();
    progress.lostSeconds += progress.doneSeconds;
  };
  const ended = runDriver(submitted, options, async (driver) => {
    try {
      await runTasks(driver, job, progress, life);
      isDone = !life.aborted;
    } catch (error) {
      // The requests of a driver whose pod is gone are refused.
      await look();
      if (!life.aborted) throw error;
    }
  }).then(() => true);
  ended.catch(() => {});
  while (!(await Promise.race([ended, sleep(LOOK_MS).then(() => false)]))) await look();
  return isDone;
}

/**
 * @param {import("../gateway/shares/run-application.mjs").Way} way
 * @param {import("../gateway/shares/run-application.mjs").Submitted} application
 */
async function isThere({ client, namespace }, { name }) {
  try {
    const { metadata } = await client.get(resources.pods, name, { namespace });
    return metadata?.deletionTimestamp === undefined;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
