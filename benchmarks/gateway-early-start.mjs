// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { gatewayProcess } from "./gateway/gateway-process.mjs";
import { kindling } from "./gateway/kindling.mjs";
import { inNamespace, withApiServer } from "./harness/api-server.mjs";
import { byTurns } from "./harness/by-turns.mjs";
import { amount } from "./harness/environment.mjs";
import { median } from "./harness/figures.mjs";
import { table } from "./harness/table.mjs";

const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const HOST = process.env["KINDLING_E2E_STAGING_HOST"] ?? "127.0.0.1";
const RUNS = amount("KINDLING_BENCH_RUNS", 5);
/** How many seconds executors prepare before they start: none, or as many as for files that come slowly. */
const PREPARATIONS = [0, 5];
const FOLDER = "/opt/app";

/** @typedef {"natively" | "gateway" | "early"} WayName */
/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

/**
 * From a submission until both of its executors have registered: with drivers that make executors themselves, through the
 * gateway, and with early start.
 */
export async function gatewayEarlyStart() {
  return await withApiServer(async (server, folder) => {
    return await inNamespace(server, `kindling-benchmark-early-${process.pid}`, (namespace) =>
      compared(server, folder, namespace),
    );
  });
}

/**
 * @param {import("./harness/api-server.mjs").ApiServer} server
 * @param {string} folder
 * @param {string} namespace
 */
async function compared({ client, kubeconfig }, folder, namespace) {
  const gateway = await gatewayProcess({ kubeconfig, namespace, host: HOST });
  const rows = [["from the submission to both executors, median of", "natively", "gateway", "with early start"]];
  try {
    await prepare(client, namespace);
    for (const version of VERSIONS) {
      for (const seconds of PREPARATIONS) {
        /** @param {WayName} way */
        const measured = (way) => () => once(client, { way, version, seconds, namespace, folder, gateway });
        const ways = { natively: measured("natively"), gateway: measured("gateway"), early: measured("early") };
        // The first run is slower, because the files of the image are not in the cache yet.
        const took = await byTurns(RUNS, ways, { warmUp: 1 });
        const what = seconds === 0 ? "" : `, executors prepare for ${seconds} s`;
        const medians = [took.natively, took.gateway, took.early].map((all) => `${median(all).toFixed(1)} s`);
        rows.push([`Spark ${version}${what}: ${RUNS}`, ...medians]);
      }
    }
  } finally {
    await gateway.stop();
  }
  return table(rows);
}

/**
 * The application, and two accounts: one with all rights of a driver, and one without any rights.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 */
async function prepare(client, namespace) {
  const data = { "ready.py": readFileSync(new URL("gateway/ready.py", import.meta.url), "utf8") };
  const files = { metadata: { name: "applications" }, data };
  await client.create(resources.configmaps, files, { namespace });
  await client.create(resources.serviceaccounts, { metadata: { name: "nobody" } }, { namespace });
  await client.request({
    method: "POST",
    path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
    body: {
      metadata: { name: "spark" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
      subjects: [{ kind: "ServiceAccount", name: "spark", namespace }],
    },
  });
}

/**
 * Seconds from the submission until both executors have registered.
 *
 * @param {KubeClient} client
 * @param {object} options
 * @param {WayName} options.way
 * @param {string} options.version of Spark
 * @param {number} options.seconds how long executors prepare
 * @param {string} options.namespace
 * @param {string} options.folder for templates
 * @param {import("./gateway/gateway-process.mjs").GatewayProcess} options.gateway
 */
async function once(client, { way, version, seconds, namespace, folder, gateway }) {
  const image = `apache/spark:${version}`;
  /**
   * @param {"driver" | "executor"} role
   * @param {readonly object[]} initContainers
   */
  const template = (role, initContainers) => {
    const file = join(folder, `${role}.json`);
    const container = { name: `spark-${role}`, volumeMounts: [{ name: "applications", mountPath: FOLDER }] };
    const volumes = [{ name: "applications", configMap: { name: "applications" } }];
    const spec = { containers: [container], volumes, initContainers };
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Pod", spec }));
    return file;
  };
  const preparation = { name: "prepare", image, command: ["sleep", String(seconds)] };
  const conf = {
    "spark.kindling.sparkVersion": version,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": image,
    "spark.kubernetes.authenticate.driver.serviceAccountName": way === "natively" ? "spark" : "nobody",
    "spark.kubernetes.driver.podTemplateFile": template("driver", []),
    "spark.kubernetes.executor.podTemplateFile": template("executor", seconds === 0 ? [] : [preparation]),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    ...(way !== "natively" && {
      "spark.kindling.scheduler": "gateway",
      "spark.kindling.scheduler.uri": `https://${HOST}:${new URL(gateway.uri).port}`,
      "spark.kindling.scheduler.caFile": gateway.caFile,
      "spark.kindling.scheduler.earlyStart": String(way === "early"),
    }),
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const began = Date.now();
  const { exit, out, err } = await kindling(["submit", ...flags, "--logs", `local://${FOLDER}/ready.py`]);
  const ready = /^READY (\d+)$/m.exec(out)?.[1];
  if (ready === undefined) throw new Error(`an application ended with ${exit}: ${err}${out.slice(-3_000)}`);
  const driver = /submission ID \S+:(\S+)/.exec(err)?.[1];
  if (driver !== undefined) await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 0 });
  return (Number(ready) - began) / 1000;
}
