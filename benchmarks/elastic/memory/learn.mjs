// @ts-check
// Jobs that ask for too much, with `spark.kindling.memory=learn`: what the fourth run asks for, and whether less would do.
import { resources } from "@kindling/kube";
import { amount } from "../../harness/environment.mjs";
import { median } from "../../harness/figures.mjs";
import { inParallel } from "../../harness/in-parallel.mjs";
import { atLeast, atMost } from "../../harness/judge.mjs";
import { sleep } from "../../harness/wait.mjs";
import { OVERSIZED_JOBS } from "./jobs.mjs";
import { runHungry, withHungry } from "./run-hungry.mjs";

/** @typedef {import("../../harness/judge.mjs").Row} Row */
/** @typedef {import("../../harness/api-server.mjs").ApiServer} ApiServer */
/** @typedef {import("./jobs.mjs").Conf} Conf */
/** @typedef {typeof OVERSIZED_JOBS[number]} Job */
/** @typedef {{ heap: number, total: number }} Size in MiB */
/** @typedef {{ isRight: boolean, seconds: number, gibSeconds: number, size: Size }} Run */
/** @typedef {{ job: Job, before: Run[], after: Run, least: number }} Learned `least` is the smallest part of the size that works */

const VERSION = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",").at(-1) ?? "";
const QUIET_SECONDS = amount("KINDLING_BENCH_QUIET_SECONDS", 30);
const AT_ONCE = amount("KINDLING_BENCH_AT_ONCE", 3);
/** Parts of the names of jobs, separated by `|`. */
const ONLY = (process.env["KINDLING_BENCH_JOB"] ?? "").split("|");
const RUNS = 3;
const LABEL = "kindling-benchmark-job";
const OVERSIZED = { "spark.executor.memory": "3g", "spark.executor.memoryOverhead": "2g" };
/** An executor does not start with a smaller heap (UnifiedMemoryManager). */
const LEAST_HEAP = 512;
/** Parts of what was learned that are tried, until one of them does not work. */
const PARTS = [0.85, 0.7, 0.55, 0.4];
const EVERY_MS = 500;

/**
 * @param {ApiServer} server
 * @param {string} folder
 * @returns {Promise<Row[]>}
 */
export async function learn(server, folder) {
  return await withHungry(server, folder, "learn", async (place) => {
    const jobs = OVERSIZED_JOBS.filter(({ name }) => ONLY.some((part) => name.includes(part)));
    return rowsOf(await inParallel(jobs, AT_ONCE, (job) => learned({ ...place, version: VERSION }, job)));
  });
}

/**
 * @param {import("./run-hungry.mjs").Place} place
 * @param {Job} job
 * @returns {Promise<Learned>}
 */
async function learned(place, job) {
  /** @param {Conf} conf */
  const run = (conf) => once(place, job, conf);
  const learning = { ...OVERSIZED, "spark.kindling.memory": "learn" };
  const before = [];
  for (let count = 0; count < RUNS; count++) before.push(await run(learning));
  const after = await run(learning);
  const { heap, total } = after.size;
  let least = 1;
  for (const part of PARTS) {
    const smallerHeap = Math.max(LEAST_HEAP, Math.floor(heap * part));
    const overhead = Math.floor(total * part) - smallerHeap;
    if (overhead <= 0) break;
    const size = { "spark.executor.memory": `${smallerHeap}m`, "spark.executor.memoryOverhead": `${overhead}m` };
    const { isRight } = await run({ ...size, "spark.task.maxFailures": "1" });
    if (!isRight) break;
    least = part;
  }
  const all = [...before, after];
  process.stderr.write(
    `${job.name}: ${all.filter(({ isRight }) => isRight).length} of ${RUNS + 1} right; learned ${heap}/${total} MiB; ${least} of it works; ` +
      `seconds ${all.map(({ seconds }) => seconds.toFixed(0)).join(", ")}; GiB-s ${all.map(({ gibSeconds }) => gibSeconds.toFixed(0)).join(", ")}\n`,
  );
  return { job, before, after, least };
}

/**
 * @param {import("./run-hungry.mjs").Place} place
 * @param {Job} job
 * @param {Conf} conf
 * @returns {Promise<Run>}
 */
async function once(place, job, conf) {
  const end = watchRequests(place, job.id);
  const named = { "spark.app.name": job.id, [`spark.kubernetes.executor.label.${LABEL}`]: job.id };
  const { exit, seconds } = await runHungry(place, job, QUIET_SECONDS, { ...job.conf, ...named, ...conf });
  return { isRight: exit === 0, seconds, ...(await end()) };
}

/**
 * Adds up what executors of a job ask for, until it is ended.
 *
 * @param {import("./run-hungry.mjs").Place} place
 * @param {string} id
 * @returns {() => Promise<{ gibSeconds: number, size: Size }>}
 */
function watchRequests({ client, namespace }, id) {
  let gibSeconds = 0;
  let size = { heap: 0, total: 0 };
  const over = new AbortController();
  const work = (async () => {
    let last = performance.now();
    while (!over.signal.aborted) {
      const { items } = await client.listAll(resources.pods, { namespace, labelSelector: `${LABEL}=${id}` });
      const now = performance.now();
      for (const { spec, status } of items) {
        const container = spec?.containers[0];
        const total = mebibytes(container?.resources?.requests?.["memory"]);
        const heap = parseInt(container?.env?.find(({ name }) => name === "SPARK_EXECUTOR_MEMORY")?.value ?? "0", 10);
        if (total > size.total) size = { heap, total };
        if (status?.phase === "Running" || status?.phase === "Pending")
          gibSeconds += (total / 1024) * ((now - last) / 1000);
      }
      last = now;
      await sleep(EVERY_MS);
    }
  })();
  return async () => {
    over.abort();
    await work;
    return { gibSeconds, size };
  };
}

/**
 * The API server writes 5120Mi as 5Gi.
 *
 * @param {string} [quantity]
 */
function mebibytes(quantity = "") {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(number ?? 0) * (unit === "Gi" ? 1024 : 1);
}

/**
 * @param {readonly Learned[]} all
 * @returns {Row[]}
 */
function rowsOf(all) {
  const close = all.filter(({ least }) => least > 0.85);
  const before = all.reduce((sum, one) => sum + median(one.before.map(({ gibSeconds }) => gibSeconds)), 0);
  const after = all.reduce((sum, one) => sum + one.after.gibSeconds, 0);
  const slower = all.map((one) => one.after.seconds / median(one.before.map(({ seconds }) => seconds)));
  return [
    atLeast(
      "jobs that succeed with what was learned",
      all.filter(({ after: { isRight } }) => isRight).length,
      "",
      all.length,
    ),
    atLeast(
      "jobs whose requests are within 15 % of the smallest that works",
      close.length,
      `of ${all.length}`,
      all.length,
    ),
    {
      what: "the smallest part of what was learned that works, half of the jobs",
      found: `${median(all.map(({ least }) => least))}`,
    },
    atMost("GiB-hours, of those before", after / before, "×", 0.6),
    atMost("time, of the runs before: the slowest", Math.max(...slower), "×", 1.05),
    { what: "time, of the runs before: half of the jobs", found: `${median(slower).toFixed(2)}×` },
  ].map((row) => ({ ...row, what: `Spark ${VERSION}, learn: ${row.what}` }));
}
