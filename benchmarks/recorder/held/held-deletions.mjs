// @ts-check
// Executors that end at the same moment, and are deleted by their drivers through a gateway that waits for the recorder. The API
// server, the recorder, the gateway and the drivers are processes of their own.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { cpuSeconds, peakMemory } from "@kindling/test-kit/process-usage";
import { gatewayProcess } from "../../gateway/gateway-process.mjs";
import { inNamespace } from "../../harness/api-server.mjs";
import { start } from "../../harness/calls.mjs";
import { amount } from "../../harness/environment.mjs";
import { mebibytes, quantile } from "../../harness/figures.mjs";
import { atLeast, atMost } from "../../harness/judge.mjs";
import { sleep } from "../../harness/wait.mjs";
import { recorderProcess } from "../recorder-process.mjs";
import { speakingCluster } from "../speaking-cluster.mjs";
import { keptLogs, untilKept } from "./kept-logs.mjs";

/** @typedef {import("../../harness/judge.mjs").Row} Row */
/** @typedef {import("../speaking-cluster.mjs").SpeakingCluster} Cluster */
/** @typedef {import("../recorder-process.mjs").RecorderProcess} RecorderProcess */
/** @typedef {import("../../gateway/gateway-process.mjs").GatewayProcess} GatewayProcess */
/** @typedef {import("../../harness/calls.mjs").Callable<import("./drivers.mjs").EndingDrivers>} Drivers */
/** @typedef {{ cluster: Cluster, recorder: RecorderProcess, gateway: GatewayProcess, drivers: Drivers }} Scene */

const NAMESPACE = "spark-jobs";
const DRIVERS = 20;
const EXECUTORS = amount("KINDLING_BENCH_EXECUTORS", 10_000);
const LINES = 20;
const LINE =
  "26/11/21 10:00:00 INFO Executor: Finished task 17.0 in stage 3.0 (TID 4711). 1423 bytes result sent to driver";
const MOST_HELD_SECONDS = 5;
/** The recorder reads logs from time to time while executors run. Those readings are not counted, and have to be over. */
const READ = "GET pods/log";

/** @returns {Promise<Row[]>} */
export async function heldRows() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-held-"));
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = await speakingCluster(kubeconfig, "tls");
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
  const recorder = await recorderProcess(kubeconfig, folder);
  try {
    return await inNamespace({ client }, NAMESPACE, async () => {
      const settings = ["--capacity", "unlimited", "--recorder-uri", recorder.uri];
      const gateway = await gatewayProcess({ kubeconfig, namespace: NAMESPACE, settings });
      const drivers = startDrivers(kubeconfig);
      try {
        return await measured({ cluster, recorder, gateway, drivers }, folder);
      } finally {
        await drivers.stop();
        await gateway.stop();
      }
    });
  } finally {
    client.close();
    await recorder.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} kubeconfig
 * @returns {Drivers}
 */
function startDrivers(kubeconfig) {
  const started = start(new URL("drivers.mjs", import.meta.url), [kubeconfig, NAMESPACE]);
  return /** @type {Drivers} */ (/** @type {unknown} */ (started));
}

/**
 * @param {Scene} scene
 * @param {string} folder of the recorder
 * @returns {Promise<Row[]>}
 */
async function measured({ cluster, recorder, gateway, drivers }, folder) {
  await drivers.call("begin", DRIVERS, gateway.uri, gateway.ca);
  await drivers.call("allocate", EXECUTORS / DRIVERS);
  while ((await cluster.call("running")) < EXECUTORS + DRIVERS) await sleep(250);
  for (let line = 0; line < LINES; line++) await cluster.call("say", LINE, 1, 0);
  const before = await usage(recorder, gateway);
  const began = performance.now();
  const deleting = drivers.call("deleteEnded");
  await cluster.call("end", "executor");
  const took = await deleting;
  const wall = (performance.now() - began) / 1000;
  const after = await usage(recorder, gateway);
  const load = loadavg()[0] ?? 0;
  const held = await heldBy(gateway);
  await cluster.call("end", "driver");
  await untilKept(recorder, DRIVERS);
  for (const line of gateway.log) if (line.includes("the recorder")) process.stderr.write(`${line}\n`);
  const cost = (recorder.cpu() - before.cpu) / EXECUTORS;
  const logs = await keptLogs(recorder, join(folder, "archive"), LINES);
  const each = (/** @type {number} */ count) => count / EXECUTORS;
  const many = `${EXECUTORS.toLocaleString("en")} executors of ${DRIVERS} drivers end at once, and are deleted through the gateway`;
  return [
    atMost(`${many}: deletions that it held for more than ${MOST_HELD_SECONDS} s`, held.late, "", 0),
    {
      what: "from the driver's request until the pod is gone: half, 99 %, the longest",
      found: [quantile(took, 0.5), quantile(took, 0.99), Math.max(...took)].map(inSeconds).join(", "),
    },
    atMost(
      "requests of the recorder for an executor, until all pods are gone",
      each(after.asked - before.asked),
      "",
      1.2,
    ),
    { what: "of these, for logs", found: each(after.read - before.read).toFixed(2) },
    { what: "requests of the gateway for an executor", found: each(after.sent - before.sent).toFixed(2) },
    { what: "executors, by what the gateway knew of their logs when their deletion went on", found: held.outcomes },
    {
      what: "until all pods are gone",
      found: `${wall.toFixed(1)} s, so ${(held.recorded / wall).toFixed(0)} logs a second`,
    },
    atLeast("executors in the ledger", logs.executors, "", EXECUTORS),
    { what: "of these, the ledger says that something of the log may be missing", found: String(logs.told) },
    atMost("logs that are not whole, without a word in the ledger", logs.untold, "", 0),
    {
      what: "the recorder's processor time for an executor, until all is in the archive",
      found: `${(cost * 1000).toFixed(2)} ms`,
    },
    { what: "the same until all pods are gone", found: `${(each(after.cpu - before.cpu) * 1000).toFixed(2)} ms` },
    {
      what: "the gateway's processor time for an executor",
      found: `${(each(after.ofGateway - before.ofGateway) * 1000).toFixed(2)} ms`,
    },
    { what: "memory of the recorder at its peak", found: mebibytes(recorder.peakMiB()) },
    { what: "memory of the gateway at its peak", found: mebibytes(peakMemory(gateway.pid)) },
    { what: "load average when all pods are gone", found: load.toFixed(1) },
  ];
}

/** @param {number} milliseconds */
function inSeconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/**
 * @param {RecorderProcess} recorder
 * @param {GatewayProcess} gateway
 */
async function usage(recorder, gateway) {
  const [{ made }, { made: sent }] = [await recorder.requests(), await gateway.requests()];
  return {
    asked: sum(made),
    read: made[READ] ?? 0,
    sent: sum(sent),
    cpu: recorder.cpu(),
    ofGateway: cpuSeconds(gateway.pid),
  };
}

/** @param {Readonly<Record<string, number>>} counts */
function sum(counts) {
  return Object.values(counts).reduce((all, count) => all + count, 0);
}

/**
 * How many deletions went on because the recorder had read the log, and how many were held for too long.
 *
 * @param {GatewayProcess} gateway
 */
async function heldBy({ adminUri }) {
  const page = await (await fetch(new URL("metrics", adminUri))).text();
  const found = [...page.matchAll(/^gateway_deletions_held_seconds_(\w+)\{([^}]*)\} (\d+)$/gm)];
  const count = (/** @type {string} */ kind, /** @type {RegExp} */ labels) =>
    found.filter((one) => one[1] === kind && labels.test(one[2] ?? "")).reduce((all, one) => all + Number(one[3]), 0);
  const outcomes = [...page.matchAll(/^gateway_deletions_held_seconds_count\{outcome="([\w-]+)"\} (\d+)$/gm)];
  return {
    recorded: count("count", /outcome="recorded"/),
    outcomes: outcomes.map(([, outcome, all]) => `${all} ${outcome}`).join(", "),
    late: count("count", /outcome/) - count("bucket", new RegExp(`le="${MOST_HELD_SECONDS}"`)),
  };
}
