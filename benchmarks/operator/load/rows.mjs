// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { applyDefinitions, startKindling, startStock } from "@kindling/kubeflow-parity/operators";
import { stockRelease } from "../../../apps/integration/kubeflow/stock-release.mjs";
import { inNamespace } from "../../harness/api-server.mjs";
import { amount } from "../../harness/environment.mjs";
import { quantile } from "../../harness/figures.mjs";
import { atLeast, atMost, leftOut } from "../../harness/judge.mjs";
import { allAtOnce, oneByOne } from "./bursts.mjs";
import { churn } from "./churn.mjs";
import { finishedApplications } from "./finished.mjs";
import { manyPods } from "./many-pods.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/** @typedef {import("../../harness/judge.mjs").Row} Row */

const COUNT = amount("KINDLING_BENCH_APPLICATIONS", 1000);
const FINISHED = amount("KINDLING_BENCH_FINISHED", 10_000);
const STOCK_COUNT = 10;
const SINGLES = 100;
const RUNNING = 50;

/**
 * Both operators at the API server of KUBECONFIG: their speed, their resources and their stability. Most rows need a cluster.
 *
 * @returns {Promise<Row[]>}
 */
export async function loadRows() {
  const full = await manyPods();
  if (process.env["KUBECONFIG"] === undefined)
    return [...full, leftOut("everything else under load", "KUBECONFIG names no cluster")];
  const access = await loadClusterAccess({});
  const client = createKubeClient(access, { maxInFlight: 200 });
  try {
    await applyDefinitions(client);
    const ours = await underLoad(client);
    return [
      ...full,
      ...ours.rows,
      ...(await besideStock(client, access, ours)),
      ...(await churn(client)),
      ...(await finishedApplications(client, FINISHED)),
    ];
  } finally {
    client.close();
  }
}

/** @param {KubeClient} client */
async function underLoad(client) {
  return await inNamespace({ client }, nameOf("burst"), async (namespace) => {
    const operator = await startKindling(namespace);
    try {
      const single = await oneByOne(client, namespace, SINGLES);
      const burst = await allAtOnce(client, operator, namespace, COUNT, RUNNING);
      return { perMinute: burst.perMinute, cpuEach: burst.cpuEach, single, rows: rowsOf(single, burst) };
    } finally {
      await operator.stop();
    }
  });
}

/**
 * @param {{ median: number, p99: number }} single
 * @param {import("./bursts.mjs").Burst} burst
 */
function rowsOf(single, { perMinute, cpuEach, waits, lags, peak }) {
  const lag = quantile(lags, 0.99);
  return [
    atMost("creation to driver pod, median of 100 alone", single.median, "ms", 150),
    atMost("creation to driver pod, 99th percentile of them", single.p99, "ms", 500),
    atLeast(`submissions a minute, ${COUNT} at once`, perMinute, "", 600),
    atMost("processor time for each", cpuEach * 1000, "ms", 100),
    atMost(`creation to driver pod, 99th percentile of ${COUNT}`, waits.p99 / 1000, "s", 100),
    atMost("the longest of them, in medians", waits.longest / waits.median, "", 2.5),
    atMost("a driver runs to the state says so, 99th percentile of 50 meanwhile", lag / 1000, "s", 2),
    atMost(`memory at its peak, with ${COUNT} applications`, peak, "MiB", 150),
  ];
}

/**
 * @param {KubeClient} client
 * @param {import("@kindling/kube").ClusterAccess} access
 * @param {{ perMinute: number, cpuEach: number }} ours
 * @returns {Promise<Row[]>}
 */
async function besideStock(client, access, ours) {
  const { SPARK_HOME = "" } = process.env;
  if (SPARK_HOME === "") return [leftOut("kubeflow's operator", "SPARK_HOME names no Spark 4.0.4 for it")];
  const { operator: program } = stockRelease();
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-stock-"));
  try {
    const stock = await inNamespace({ client }, nameOf("stock"), async (namespace) => {
      const operator = await startStock({ program, access, env: { SPARK_HOME, HOME: folder } }, namespace);
      try {
        const single = await oneByOne(client, namespace, 1);
        return { single, ...(await allAtOnce(client, operator, namespace, STOCK_COUNT)) };
      } finally {
        await operator.stop();
      }
    });
    return [
      { what: "kubeflow's: creation to driver pod, one alone", found: `${(stock.single.median / 1000).toFixed(1)} s` },
      { what: `kubeflow's: submissions a minute, ${STOCK_COUNT} at once`, found: stock.perMinute.toFixed(1) },
      { what: "kubeflow's: processor time for each", found: `${stock.cpuEach.toFixed(1)} s` },
      { what: "kubeflow's: memory at its peak, with what it starts", found: `${stock.peak.toFixed(0)} MiB` },
      atLeast("submissions a minute, ours to kubeflow's", ours.perMinute / stock.perMinute, "×", 20),
      atLeast("processor time, kubeflow's to ours", stock.cpuEach / ours.cpuEach, "×", 50),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} purpose */
function nameOf(purpose) {
  return `kindling-benchmark-operator-${purpose}-${process.pid}`;
}
