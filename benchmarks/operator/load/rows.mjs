import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { stockRelease } from "../../../apps/integration/kubeflow/stock-release.mjs";
import { inNamespace } from "../../gateway/api-server.mjs";
import { allAtOnce, oneByOne } from "./bursts.mjs";
import { churn } from "./churn.mjs";
import { applyDefinitions, applyStockDefinitions } from "./definitions.mjs";
import { finishedApplications } from "./finished.mjs";
import { manyPods } from "./many-pods.mjs";
import { quantile } from "./observer.mjs";
import { startKindling, startStock } from "./operators.mjs";
import { leftOut, row } from "./row.mjs";

const COUNT = Number(process.env.KINDLING_BENCH_APPLICATIONS ?? 1000);
const FINISHED = Number(process.env.KINDLING_BENCH_FINISHED ?? 10_000);
const STOCK_COUNT = 10;
const SINGLES = 100;
const RUNNING = 50;

/** Both operators at the API server of KUBECONFIG: how quick, how hungry, how steady. Of most nothing without a cluster. */
export async function loadRows() {
  const full = await manyPods();
  if (process.env.KUBECONFIG === undefined)
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

function rowsOf(single, { perMinute, cpuEach, waits, lags, peak }) {
  const lag = quantile(lags, 0.99);
  return [
    row("creation to driver pod, median of 100 alone", single.median, "ms", 150),
    row("creation to driver pod, 99th percentile of them", single.p99, "ms", 500),
    row(`submissions a minute, ${COUNT} at once`, perMinute, "", undefined, 600),
    row("processor time for each", cpuEach * 1000, "ms", 100),
    row(`creation to driver pod, 99th percentile of ${COUNT}`, waits.p99 / 1000, "s", 100),
    row("the longest of them, in medians", waits.longest / waits.median, "", 2.5),
    row("a driver runs to the state says so, 99th percentile of 50 meanwhile", lag / 1000, "s", 2),
    row(`memory at its peak, with ${COUNT} applications`, peak, "MiB", 150),
  ];
}

async function besideStock(client, access, ours) {
  const { SPARK_HOME = "" } = process.env;
  if (SPARK_HOME === "") return [leftOut("kubeflow's operator", "SPARK_HOME names no Spark 4.0.4 for it")];
  const { operator: program, source } = stockRelease();
  await applyStockDefinitions(client, source);
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-stock-"));
  try {
    const stock = await inNamespace({ client }, nameOf("stock"), async (namespace) => {
      const operator = await startStock(program, namespace, access, { SPARK_HOME, HOME: folder });
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
      row("submissions a minute, ours to kubeflow's", ours.perMinute / stock.perMinute, "×", undefined, 20),
      row("processor time, kubeflow's to ours", stock.cpuEach / ours.cpuEach, "×", undefined, 50),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nameOf(purpose) {
  return `kindling-benchmark-operator-${purpose}-${process.pid}`;
}
