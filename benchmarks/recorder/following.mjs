// @ts-check
// A recorder that follows applications: many that run, and executors that all end at the same moment.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { amount } from "../harness/environment.mjs";
import { mebibytes } from "../harness/figures.mjs";
import { atLeast, atMost } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";
import { recorderProcess } from "./recorder-process.mjs";
import { create, driverOf, executorOf } from "./spark-pods.mjs";
import { speakingCluster } from "./speaking-cluster.mjs";

/** @typedef {import("../harness/judge.mjs").Row} Row */
/** @typedef {import("./speaking-cluster.mjs").SpeakingCluster} Cluster */
/** @typedef {import("./recorder-process.mjs").RecorderProcess} RecorderProcess */
/** @typedef {{ cluster: Cluster, client: import("@kindling/kube").KubeClient, recorder: RecorderProcess }} Scene */
/** @typedef {{ uid: string, name: string, executors: number }} Run the members that are used */

const NAMESPACE = "spark-jobs";
const APPLICATIONS = amount("KINDLING_BENCH_APPLICATIONS", 1000);
const SECONDS = amount("KINDLING_BENCH_STEADY_SECONDS", 120);
const DRIVERS = 20;
const EXECUTORS = amount("KINDLING_BENCH_EXECUTORS", 10_000);
/** Each application writes a line in so many seconds. */
const LINE_SECONDS = 10;
const LINE =
  "26/11/21 10:00:00 INFO TaskSetManager: Finished task 17.0 in stage 3.0 (TID 4711) in 812 ms on 10.244.3.7";
const MOST_MIB = 150;
/** What the recorder does at the same time at most, by its settings. */
const READS_AT_ONCE = 64;
const PATIENCE_MS = 15 * 60_000;
const READ = "GET pods/log";

/** @returns {Promise<Row[]>} */
export async function runningRows() {
  return await withScene(async ({ cluster, client, recorder }) => {
    const drivers = Array.from({ length: APPLICATIONS }, (_, index) => driverOf(`app-${index}`));
    await create(client, NAMESPACE, drivers);
    await untilRunning(cluster, APPLICATIONS);
    await untilFollowed(recorder, APPLICATIONS);
    const before = recorder.cpu();
    for (let second = 0; second < SECONDS; second++) {
      await cluster.call("say", LINE, LINE_SECONDS, second % LINE_SECONDS);
      await sleep(1000);
    }
    const share = ((recorder.cpu() - before) / SECONDS) * 100;
    const many = `${APPLICATIONS.toLocaleString("en")} applications that run`;
    return [
      atMost(`memory of the recorder at its peak, with ${many}`, recorder.peakMiB(), "MiB", MOST_MIB),
      {
        what: `its processor time in ${SECONDS} s, ${APPLICATIONS / LINE_SECONDS} lines a second`,
        found: `${share.toFixed(1)} % of one`,
      },
      { what: "its warnings meanwhile", found: String(recorder.complaints.length) },
    ];
  });
}

/** @returns {Promise<Row[]>} */
export async function endingRows() {
  return await withScene(async ({ cluster, client, recorder }) => {
    const of = EXECUTORS / DRIVERS;
    const apps = Array.from({ length: DRIVERS }, (_, index) => `app-${index}`);
    await create(client, NAMESPACE, apps.map(driverOf));
    const executors = apps.flatMap((app) => Array.from({ length: of }, (_, index) => executorOf(app, index + 1)));
    await create(client, NAMESPACE, executors);
    await untilRunning(cluster, EXECUTORS + DRIVERS);
    for (let line = 0; line < 20; line++) await cluster.call("say", LINE, 1, 0);
    const [asked, cpu] = [await recorder.requests(), recorder.cpu()];
    const began = performance.now();
    await cluster.call("end", "driver", "executor");
    const ended = (await untilEnded(client, began)) / 1000;
    const runs = await untilKept(recorder, began);
    const wall = (performance.now() - began) / 1000;
    const { made, most } = await recorder.requests();
    const all = sum(made) - sum(asked.made);
    const gaps = await gapsIn(recorder, runs);
    const kept = runs.reduce((count, run) => count + run.executors, 0);
    return [
      atLeast(`executors in the ledger, of ${EXECUTORS.toLocaleString("en")} that end at once`, kept, "", EXECUTORS),
      atMost("of these, without the end of their log", gaps, "", 0),
      { what: "until the API server says of all that they have ended", found: `${ended.toFixed(1)} s` },
      { what: "until all are in the ledger", found: `${wall.toFixed(1)} s` },
      atMost("requests of the recorder for an executor", all / EXECUTORS, "", 2),
      atMost(
        `logs that it read at the same time, those of ${DRIVERS} drivers among them`,
        most[READ] ?? 0,
        "",
        READS_AT_ONCE + DRIVERS,
      ),
      {
        what: "its processor time for an executor",
        found: `${(((recorder.cpu() - cpu) / EXECUTORS) * 1000).toFixed(2)} ms`,
      },
      { what: "memory of the recorder at its peak, while they end", found: mebibytes(recorder.peakMiB()) },
    ];
  });
}

/**
 * @template T
 * @param {(scene: Scene) => Promise<T>} run
 */
async function withScene(run) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-recorder-"));
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = await speakingCluster(kubeconfig);
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }), { maxInFlight: 64 });
  const recorder = await recorderProcess(kubeconfig, folder);
  try {
    await client.create(resources.namespaces, { metadata: { name: NAMESPACE } });
    return await run({ cluster, client, recorder });
  } finally {
    client.close();
    await recorder.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {Cluster} cluster
 * @param {number} count
 */
async function untilRunning(cluster, count) {
  while ((await cluster.call("running")) < count) await sleep(250);
}

/**
 * @param {RecorderProcess} recorder
 * @param {number} count
 */
async function untilFollowed(recorder, count) {
  const followed = async () => (await recorder.requests()).open[`${READ}, following`] ?? 0;
  while ((await followed()) < count) await sleep(250);
}

/**
 * Milliseconds until no pod runs.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {number} began
 */
async function untilEnded(client, began) {
  for (;;) {
    const { items } = await client.listAll(resources.pods, { namespace: NAMESPACE, resourceVersion: "0" });
    if (items.every(({ status }) => status?.phase === "Succeeded")) return performance.now() - began;
    await sleep(1000);
  }
}

/**
 * @param {RecorderProcess} recorder
 * @param {number} began
 */
async function untilKept({ uri, complaints }, began) {
  for (;;) {
    const answer = await fetch(new URL("api/v1/runs?limit=1000", uri));
    const { runs } = /** @type {{ runs: Run[] }} */ (await answer.json());
    if (runs.length >= DRIVERS) return runs;
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`${runs.length} runs are kept: ${complaints.slice(-3).join("\n")}`);
    await sleep(250);
  }
}

/**
 * How many executors have a log that is not whole.
 *
 * @param {RecorderProcess} recorder
 * @param {readonly Run[]} runs
 */
async function gapsIn({ uri }, runs) {
  const ledgers = await Promise.all(
    runs.map(async ({ uid }) => await (await fetch(new URL(`api/v1/runs/${uid}/executors`, uri))).text()),
  );
  return ledgers.flatMap((text) => text.trimEnd().split("\n")).filter((line) => line.includes('"logGap"')).length;
}

/** @param {Readonly<Record<string, number>>} counts */
function sum(counts) {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}
