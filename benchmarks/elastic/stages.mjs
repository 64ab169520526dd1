// @ts-check
import { readFileSync } from "node:fs";
import { resources } from "@kindling/kube";
import { gatewayProcess } from "../gateway/gateway-process.mjs";
import { kindling } from "../gateway/kindling.mjs";
import { inNamespace } from "../harness/api-server.mjs";
import { byTurns } from "../harness/by-turns.mjs";
import { amount } from "../harness/environment.mjs";
import { median } from "../harness/figures.mjs";
import { atMost } from "../harness/judge.mjs";
import { deleteDriver, template } from "../sealed/run-job.mjs";
import { countCoreSeconds } from "./core-seconds.mjs";

/** @typedef {import("../harness/judge.mjs").Row} Row */
/** @typedef {import("../harness/api-server.mjs").ApiServer} ApiServer */
/** @typedef {"keep" | "tracking" | "migration"} Way */
/** @typedef {{ took: number, again: number, count: number, coreSeconds: number }} Outcome */

const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const HOST = process.env["KINDLING_E2E_STAGING_HOST"] ?? "127.0.0.1";
const IMAGE = process.env["KINDLING_E2E_LOCALIZER_IMAGE"] ?? "kindling/localizer:e2e";
const RUNS = amount("KINDLING_BENCH_RUNS", 1);
const ROWS = amount("KINDLING_BENCH_ROWS", 600_000);
const GAP_SECONDS = amount("KINDLING_BENCH_GAP_SECONDS", 75);
const FOLDER = "/opt/app";
const APPLICATION = "four_shuffles.py";

/** What is different between the ways. All of them let idle executors go after the same time. */
const WAYS = /** @type {const} */ ({
  keep: { "spark.kindling.shuffle": "keep", "spark.kindling.localizer.image": IMAGE },
  tracking: { "spark.dynamicAllocation.shuffleTracking.enabled": "true" },
  migration: {
    "spark.dynamicAllocation.shuffleTracking.enabled": "false",
    "spark.decommission.enabled": "true",
    "spark.storage.decommission.enabled": "true",
    "spark.storage.decommission.shuffleBlocks.enabled": "true",
    // The blocks of the last executor would have nowhere to go.
    "spark.dynamicAllocation.minExecutors": "1",
  },
});

/**
 * A job with four shuffles and idle gaps, on none to three executors.
 *
 * @param {ApiServer} server
 * @param {string} folder
 * @returns {Promise<Row[]>}
 */
export async function stages({ client, kubeconfig }, folder) {
  return await inNamespace({ client }, `kindling-benchmark-elastic-${process.pid}`, async (namespace) => {
    const gateway = await gatewayProcess({ kubeconfig, namespace, host: HOST });
    try {
      const data = { [APPLICATION]: readFileSync(new URL(APPLICATION, import.meta.url), "utf8") };
      const files = { metadata: { name: "applications" }, data };
      await client.create(resources.configmaps, files, { namespace });
      await client.create(resources.serviceaccounts, { metadata: { name: "nobody" } }, { namespace });
      const rows = [];
      for (const version of VERSIONS) {
        /** @param {Way} way */
        const run = (way) => () => once({ client, namespace, folder, gateway }, version, way);
        const ways = { keep: run("keep"), tracking: run("tracking"), migration: run("migration") };
        rows.push(...rowsOf(version, await byTurns(RUNS, ways)));
      }
      return rows;
    } finally {
      await gateway.stop();
    }
  });
}

/**
 * @param {string} version
 * @param {Record<Way, Outcome[]>} outcomes
 * @returns {Row[]}
 */
function rowsOf(version, outcomes) {
  /** @param {Way} way @param {keyof Outcome} what */
  const of = (way, what) => median(outcomes[way].map((one) => one[what]));
  /** @param {keyof Outcome} what @param {string} unit */
  const all = (what, unit) =>
    /** @type {const} */ (["keep", "tracking", "migration"])
      .map((way) => `${Number(of(way, what).toFixed(1))}${unit}`)
      .join(", ");
  const faster = Math.min(of("tracking", "took"), of("migration", "took"));
  const names = "kept, with tracking, with migration";
  return [
    { what: `time: ${names}`, found: all("took", " s") },
    { what: `executor core-seconds: ${names}`, found: all("coreSeconds", "") },
    { what: `map tasks that ran again: ${names}`, found: all("again", "") },
    atMost("map tasks that ran again", Math.max(...outcomes.keep.map(({ again }) => again)), "", 0),
    atMost("core-seconds, of those with tracking", of("keep", "coreSeconds") / of("tracking", "coreSeconds"), "×", 0.6),
    atMost(
      "core-seconds, of those with migration",
      of("keep", "coreSeconds") / of("migration", "coreSeconds"),
      "×",
      0.9,
    ),
    atMost("time, of the faster of the two", of("keep", "took") / faster, "×", 1.1),
  ].map((row) => ({ ...row, what: `Spark ${version}, four shuffles, gaps of ${GAP_SECONDS} s: ${row.what}` }));
}

/**
 * @param {{ client: import("@kindling/kube").KubeClient, namespace: string, folder: string, gateway: import("../gateway/gateway-process.mjs").GatewayProcess }} place
 * @param {string} version
 * @param {Way} way
 * @returns {Promise<Outcome>}
 */
async function once({ client, namespace, folder, gateway }, version, way) {
  const conf = {
    "spark.kindling.sparkVersion": version,
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": `https://${HOST}:${new URL(gateway.uri).port}`,
    "spark.kindling.scheduler.caFile": gateway.caFile,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "nobody",
    "spark.kubernetes.driver.podTemplateFile": template(folder, "driver"),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "400m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.dynamicAllocation.enabled": "true",
    "spark.dynamicAllocation.minExecutors": "0",
    "spark.dynamicAllocation.maxExecutors": "3",
    "spark.dynamicAllocation.executorIdleTimeout": "5s",
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    ...WAYS[way],
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const end = countCoreSeconds(client, namespace);
  const args = ["submit", ...flags, "--logs", `local://${FOLDER}/${APPLICATION}`, String(ROWS), String(GAP_SECONDS)];
  const { exit, out, err } = await kindling(args);
  const coreSeconds = await end();
  const [, took, again, count] = /^TOOK (\S+) AGAIN (-?\d+) COUNT (\d+)$/m.exec(out) ?? [];
  if (took === undefined) throw new Error(`an application (${way}) ended with ${exit}: ${err}${out.slice(-3_000)}`);
  await deleteDriver({ client, namespace }, /submission ID \S+:(\S+)/.exec(err)?.[1] ?? "");
  return { took: Number(took), again: Number(again), count: Number(count), coreSeconds };
}
