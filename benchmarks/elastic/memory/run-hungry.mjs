// @ts-check
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resources } from "@kindling/kube";
import { gatewayProcess } from "../../gateway/gateway-process.mjs";
import { kindling } from "../../gateway/kindling.mjs";
import { inNamespace } from "../../harness/api-server.mjs";
import { deleteDriver, template } from "../../sealed/run-job.mjs";

/** @typedef {import("./jobs.mjs").Conf} Conf */
/**
 * Where jobs run.
 *
 * @typedef {object} Place
 * @property {import("@kindling/kube").KubeClient} client
 * @property {string} namespace
 * @property {string} folder
 * @property {string} version of Spark
 * @property {string} gatewayUri as pods reach it
 * @property {string} caFile
 */
/**
 * @typedef {object} Ended
 * @property {number} exit
 * @property {string} [result] of the job
 * @property {number} seconds from the submission to the end
 * @property {string} said its messages
 * @property {string} record what the gateway has written on the driver's pod
 */

const HOST = process.env["KINDLING_E2E_STAGING_HOST"] ?? "127.0.0.1";
const FOLDER = "/opt/app";
/** Labels the driver of one run. */
const RUN_LABEL = "kindling-benchmark-run";
const LIMIT_SECONDS = 900;
const APPLICATION = "hungry.py";

/**
 * Does something where jobs can run: in a namespace with all that they need, and with a gateway.
 *
 * @template T
 * @param {import("../../harness/api-server.mjs").ApiServer} server
 * @param {string} folder
 * @param {string} name of what is done
 * @param {(place: Omit<Place, "version">) => Promise<T>} run
 */
export async function withHungry({ client, kubeconfig }, folder, name, run) {
  return await inNamespace({ client }, `kindling-benchmark-${name}-${process.pid}`, async (namespace) => {
    const gateway = await gatewayProcess({ kubeconfig, namespace, host: HOST });
    try {
      await prepareHungry(client, namespace);
      const gatewayUri = `https://${HOST}:${new URL(gateway.uri).port}`;
      return await run({ client, namespace, folder, gatewayUri, caFile: gateway.caFile });
    } finally {
      await gateway.stop();
    }
  });
}

/**
 * What all jobs need.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
async function prepareHungry(client, namespace) {
  const data = { [APPLICATION]: readFileSync(new URL(APPLICATION, import.meta.url), "utf8") };
  const files = { metadata: { name: "applications" }, data };
  await client.create(resources.configmaps, files, { namespace });
  await client.create(resources.serviceaccounts, { metadata: { name: "nobody" } }, { namespace });
}

/**
 * Runs a job with one executor to its end.
 *
 * @param {Place} place
 * @param {{ kind: string, amount: number, isFirst?: boolean }} job it needs its memory first, or last
 * @param {number} quietSeconds
 * @param {Conf} conf
 * @param {number} [limitSeconds] after this time it has failed: a job may collect garbage for an hour
 * @returns {Promise<Ended>}
 */
export async function runHungry(
  { client, namespace, folder, version, gatewayUri, caFile },
  job,
  quietSeconds,
  conf,
  limitSeconds = LIMIT_SECONDS,
) {
  const run = randomUUID();
  const all = {
    "spark.kindling.sparkVersion": version,
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": gatewayUri,
    "spark.kindling.scheduler.caFile": caFile,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "nobody",
    "spark.kubernetes.driver.podTemplateFile": template(folder, "driver"),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.memoryOverhead": "384m",
    "spark.executor.instances": "1",
    [`spark.kubernetes.driver.label.${RUN_LABEL}`]: run,
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.executor.defaultJavaOptions": "-XX:TieredStopAtLevel=1",
    ...conf,
  };
  const flags = Object.entries(all).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const began = performance.now();
  const args = [job.kind, String(job.amount), String(quietSeconds), job.isFirst === true ? "first" : "last"];
  const limit = setTimeout(() => void endRun({ client, namespace }, run), limitSeconds * 1_000);
  const command = ["submit", ...flags, "--logs", `local://${FOLDER}/${APPLICATION}`, ...args];
  const { exit, out, err } = await kindling(command);
  clearTimeout(limit);
  const seconds = (performance.now() - began) / 1000;
  const metadata = await endRun({ client, namespace }, run);
  const result = /^RESULT \S+ (-?\d+) TOOK/m.exec(out)?.[1];
  const record = metadata?.annotations?.["gateway.kindling/memory"] ?? "";
  return { exit, seconds, said: `${err}\n${out.slice(-3_000)}`, record, ...(result !== undefined && { result }) };
}

/**
 * Deletes the driver of a run, so that a command that waits for it ends.
 *
 * @param {Pick<Place, "client" | "namespace">} place
 * @param {string} run
 * @returns its metadata; `undefined` if it is gone already
 */
async function endRun({ client, namespace }, run) {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector: `${RUN_LABEL}=${run}` });
  const metadata = items[0]?.metadata;
  if (metadata?.name !== undefined) await deleteDriver({ client, namespace }, metadata.name);
  return metadata;
}
