// @ts-check
// A recorder with a large archive: its start, its memory, and how quickly it answers.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock, systemOutside } from "@kindling/outside";
import { ARCHIVE_KEYS, History, openArchive, RunIndex } from "@kindling/recorder";
import { load } from "@kindling/service/settings";
import { amount, ENVIRONMENT } from "../harness/environment.mjs";
import { quantile, seconds } from "../harness/figures.mjs";
import { atMost } from "../harness/judge.mjs";
import { KINDLING } from "../submission.mjs";
import { recorderProcess } from "./recorder-process.mjs";
import { speakingCluster } from "./speaking-cluster.mjs";

/** @typedef {import("../harness/judge.mjs").Row} Row */
/** @typedef {import("@kindling/recorder-client").Run} Run */

const RUNS = amount("KINDLING_BENCH_RUNS", 100_000);
const NAMESPACES = 20;
const DAYS = 60;
const DAY_MS = 24 * 60 * 60_000;
const ASKED = 100;
const COMMANDS = 11;
const MOST_MS = 200;
const MOST_MIB = 150;
const run = promisify(execFile);

/**
 * What is asked for, by what is said of it.
 *
 * @type {Readonly<Record<string, (now: number) => string>>}
 */
const QUERIES = {
  "failed ones of seven days": (now) => `state=failed&since=${new Date(now - 7 * DAY_MS).toISOString()}`,
  "those of a queue": () => "queue=queue-3",
  "those whose names begin alike": () => "name=job-17*",
  "the latest of one name in a namespace": () => "namespace=team-7&name=job-1207&limit=20",
  "one by its id, which is not there": () => "name=spark-none",
};

/** @returns {Promise<Row[]>} */
export async function archiveRows() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-archive-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeArchive(join(folder, "archive"));
  const cluster = await speakingCluster(kubeconfig);
  const recorder = await recorderProcess(kubeconfig, folder, ["--retention-age", "0"]);
  try {
    const found = await answers(recorder.uri);
    const command = await commandMs(recorder.uri, kubeconfig);
    const many = `${RUNS.toLocaleString("en")} ended applications`;
    return [
      { what: `recorder with ${many}: from its start until it is ready`, found: seconds(recorder.startMs / 1000) },
      ...found.map(({ what, times }) =>
        atMost(`95th percentile of ${ASKED} lists of ${what}`, quantile(times, 0.95), "ms", MOST_MS),
      ),
      atMost(
        `median of all lists`,
        quantile(
          found.flatMap(({ times }) => times),
          0.5,
        ),
        "ms",
        MOST_MS,
      ),
      {
        what: "`kindling history --state failed --since 7d -o json` as a process, median",
        found: seconds(command / 1000),
      },
      atMost(`memory of the recorder at its peak, with ${many}`, recorder.peakMiB(), "MiB", MOST_MIB),
    ];
  } finally {
    await recorder.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes an archive as recorders do: with the recorder's own code.
 *
 * @param {string} path
 */
async function writeArchive(path) {
  const program = { name: "benchmark", summary: "", prefix: "BENCHMARK", settings: ARCHIVE_KEYS, examples: [] };
  const settings = load(program, { args: ["--store-path", path], env: {}, readFile: () => "" });
  const outside = systemOutside();
  const archive = await openArchive(settings, outside);
  const index = new RunIndex({ archive, history: new History(), random: outside.random, onBadLines: () => {} });
  const now = systemClock.now();
  await index.add(Array.from({ length: RUNS }, (_, number) => runOf(number, now)));
  await archive.close();
}

/**
 * Every twelfth has failed, with a reason of usual length.
 *
 * @param {number} number
 * @param {number} now
 * @returns {Run}
 */
function runOf(number, now) {
  const ended = now - Math.floor((number / RUNS) * DAYS * DAY_MS);
  const started = ended - 60_000 * (1 + (number % 90));
  const id = `spark-${(number * 2_654_435_761).toString(16).padStart(32, "0")}`;
  const name = `job-${number % 2000}`;
  const isFailed = number % 12 === 0;
  return {
    namespace: `team-${number % NAMESPACES}`,
    day: new Date(started).toISOString().slice(0, 10),
    driver: `${name}-${number.toString(16)}-driver`,
    uid: `${number.toString(16).padStart(8, "0")}-60a4-4f5e-9a53-6b3a9a1c77d0`,
    ...{ id, application: id, name, attempt: 1 },
    state: isFailed ? "failed" : "succeeded",
    ...(isFailed && {
      cause: "ApplicationFailed",
      why: "org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 in stage 7.0 failed 4 times (exit code 1)",
    }),
    ...{ started, ended, sparkVersion: "4.3.0", queue: `queue-${number % 40}` },
    labels: { team: `team-${number % NAMESPACES}`, "app.kubernetes.io/part-of": "warehouse" },
    executors: number % 50,
    usage: [{ spot: false, coreSeconds: 3600 + number, gibSeconds: 14_400 + number }],
    bytes: 100_000 + number,
    ...(number % 2 === 0 && { eventLog: `eventlog_v2_${id}` }),
  };
}

/** @param {string} uri */
async function answers(uri) {
  const all = [];
  for (const [what, query] of Object.entries(QUERIES)) {
    const times = [];
    for (let count = 0; count < ASKED; count++) {
      const began = performance.now();
      const answer = await fetch(new URL(`api/v1/runs?${query(systemClock.now())}`, uri));
      if (answer.status !== 200) throw new Error(await answer.text());
      await answer.arrayBuffer();
      times.push(performance.now() - began);
    }
    all.push({ what, times });
  }
  return all;
}

/**
 * Milliseconds of the command, with all pages.
 *
 * @param {string} uri
 * @param {string} kubeconfig
 */
async function commandMs(uri, kubeconfig) {
  const args = ["history", "--state", "failed", "--since", "7d", "-n", "team-0", "-o", "json"];
  const times = [];
  for (let count = 0; count < COMMANDS; count++) {
    const began = performance.now();
    await run(process.execPath, [KINDLING, ...args, "-c", `spark.kindling.recorder.uri=${uri}`], {
      env: { ...ENVIRONMENT, KUBECONFIG: kubeconfig },
      maxBuffer: 64 * 1024 * 1024,
    });
    times.push(performance.now() - began);
  }
  return quantile(times, 0.5);
}
