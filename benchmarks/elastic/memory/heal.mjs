// @ts-check
// Jobs that fail for memory on stock Spark, with the same configuration and `spark.kindling.memory=heal`.
import { amount } from "../../harness/environment.mjs";
import { atLeast, atMost } from "../../harness/judge.mjs";
import { inParallel } from "../../harness/in-parallel.mjs";
import { HOPELESS_JOB, HUNGRY_JOBS } from "./jobs.mjs";
import { runHungry, withHungry } from "./run-hungry.mjs";

/** @typedef {import("../../harness/judge.mjs").Row} Row */
/** @typedef {import("../../harness/api-server.mjs").ApiServer} ApiServer */
/** @typedef {import("./run-hungry.mjs").Ended} Ended */
/** @typedef {import("./jobs.mjs").HungryJob} HungryJob */
/** @typedef {{ job: HungryJob, right: Ended, stock: Ended, healed: Ended }} Compared */

const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const QUIET_SECONDS = amount("KINDLING_BENCH_QUIET_SECONDS", 30);
/** Parts of the names of jobs, separated by `|`. */
const ONLY = (process.env["KINDLING_BENCH_JOB"] ?? "").split("|");
const AT_ONCE = 3;
const HEAL = { "spark.kindling.memory": "heal" };
const STOCK = { "spark.kindling.driver.restart": "never" };
const MOST_FAILURES = 1;
/** A job that takes so much longer than a rightly sized one is not waited for. */
const STOCK_LIMIT_SECONDS = 300;

/**
 * @param {ApiServer} server
 * @param {string} folder
 * @returns {Promise<Row[]>}
 */
export async function heal(server, folder) {
  return await withHungry(server, folder, "heal", async (place) => {
    const rows = [];
    for (const version of VERSIONS) rows.push(...(await compared({ ...place, version })));
    return rows;
  });
}

/**
 * @param {import("./run-hungry.mjs").Place} place
 * @returns {Promise<Row[]>}
 */
async function compared(place) {
  const jobs = HUNGRY_JOBS.filter(isWanted);
  /** @param {{ kind: string, amount: number, conf?: import("./jobs.mjs").Conf }} job @param {import("./jobs.mjs").Conf} conf */
  const run = (job, conf) => runHungry(place, job, QUIET_SECONDS, { ...job.conf, ...conf });
  // How long these take says nothing, so some of them run at once.
  const stock = await inParallel(jobs, AT_ONCE, (job) =>
    runHungry(place, job, QUIET_SECONDS, { ...job.conf, ...STOCK }, STOCK_LIMIT_SECONDS),
  );
  /** @type {Compared[]} */
  const all = [];
  for (const [index, job] of jobs.entries()) {
    // Both at the same time, so that each has the other beside it.
    const [right, healed] = await Promise.all([run(job, { ...job.right, ...STOCK }), run(job, HEAL)]);
    const one = { job, right, stock: /** @type {Ended} */ (stock[index]), healed };
    report(one);
    all.push(one);
  }
  const rows = rowsOf(place.version, all);
  if (!isWanted(HOPELESS_JOB)) return rows;
  return [...rows, ...(await hopelessRows(place.version, (conf) => run(HOPELESS_JOB, conf)))];
}

/** @param {{ name: string }} job */
function isWanted({ name }) {
  return ONLY.some((part) => name.includes(part));
}

/** @param {Compared} compared */
function report({ job, right, stock, healed }) {
  const times = `right ${right.seconds.toFixed(0)} s, healed ${healed.seconds.toFixed(0)} s`;
  process.stderr.write(
    `${job.name}: stock ${stock.exit}, right ${right.exit} ${right.result}, healed ${healed.exit} ${healed.result}; ${times}\n`,
  );
  if (right.exit !== 0) process.stderr.write(`${right.said}\n`);
  if (healed.exit !== 0) process.stderr.write(`${healed.said}\n`);
  process.stderr.write(`${healed.record}\n`);
}

/**
 * @param {string} version
 * @param {readonly Compared[]} all
 * @returns {Row[]}
 */
function rowsOf(version, all) {
  const failed = all.filter(({ stock }) => stock.exit !== 0);
  const succeeded = all.filter(({ right, healed }) => healed.exit === 0 && healed.result === right.result);
  const ratios = succeeded.map(({ job, right, healed }) => ({ name: job.name, ratio: healed.seconds / right.seconds }));
  const slowest = ratios.toSorted((a, b) => b.ratio - a.ratio)[0] ?? { name: "none", ratio: Number.NaN };
  const others = all.filter((one) => !succeeded.includes(one)).map(({ job }) => job.name);
  return [
    atLeast("jobs that fail as they are", failed.length, `of ${all.length}`, all.length),
    atLeast(
      "jobs that succeed unchanged, with the right result",
      succeeded.length,
      `of ${all.length}`,
      all.length - MOST_FAILURES,
    ),
    ...(others.length === 0 ? [] : [{ what: "the others", found: others.join("; ") }]),
    atMost(`the slowest of them (${slowest.name}), compared with a rightly sized run`, slowest.ratio, "×", 2),
    {
      what: "how often they took more than twice the time",
      found: `${ratios.filter(({ ratio }) => ratio > 2).length} of ${ratios.length}`,
    },
    {
      what: "all of them, compared with rightly sized runs",
      found: `${(sum(succeeded, "healed") / sum(succeeded, "right")).toFixed(2)}×`,
    },
  ].map((row) => ({ ...row, what: `Spark ${version}, memory: ${row.what}` }));
}

/** @param {readonly Compared[]} all @param {"healed" | "right"} which */
function sum(all, which) {
  return all.reduce((total, one) => total + one[which].seconds, 0);
}

/**
 * @param {string} version
 * @param {(conf: import("./jobs.mjs").Conf) => Promise<Ended>} run
 * @returns {Promise<Row[]>}
 */
async function hopelessRows(version, run) {
  const stock = await run(STOCK);
  const healed = await run(HEAL);
  const words = /and it gets no more: spark\.kindling\.memory\.max allows 1300 MiB/.exec(healed.said)?.[0];
  return [
    {
      what: `Spark ${version}, memory: a job that needs more than it may have says so, with the number`,
      found: words ?? "no",
      wanted: "yes",
      holds: words !== undefined && healed.exit !== 0,
    },
    atMost(
      `Spark ${version}, memory: when it fails, compared with stock Spark`,
      healed.seconds / stock.seconds,
      "×",
      1,
    ),
  ];
}
