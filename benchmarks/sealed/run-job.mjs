// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNotFound, resources } from "@kindling/kube";
import { kindling } from "../gateway/kindling.mjs";

const FOLDER = "/opt/app";
const APPLICATION = "marked_shuffle.py";

/** The ports of driver and executors, so that others can try to reach them. */
export const PORTS = { driver: 7078, driverBlocks: 7079, executorBlocks: 7099 };

/**
 * @typedef {object} Job
 * @property {string} version of Spark
 * @property {boolean} isSealed
 * @property {number} rows that are shuffled
 * @property {number} [linger] seconds that it stays afterwards
 * @property {boolean} [isCompressed] whether shuffled blocks are compressed, as they usually are
 */

/**
 * @typedef {object} Outcome
 * @property {number} first seconds from the submission to the end of the first task
 * @property {number} shuffle seconds
 * @property {string} driver its pod
 */

/**
 * The files that the jobs need.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
export async function prepareJobs(client, namespace) {
  const data = { [APPLICATION]: readFileSync(new URL(APPLICATION, import.meta.url), "utf8") };
  const files = { metadata: { name: "applications" }, data };
  await client.create(resources.configmaps, files, { namespace });
}

/**
 * Runs a job with two executors to its end.
 *
 * @param {{ client: import("@kindling/kube").KubeClient, namespace: string, folder: string }} place
 * @param {Job} job
 * @param {(driver: string) => Promise<void>} [onShuffled] called when it has shuffled
 * @returns {Promise<Outcome>}
 */
export async function runJob({ client, namespace, folder }, job, onShuffled) {
  const { version, isSealed, rows, linger = 0, isCompressed = true } = job;
  const conf = {
    "spark.kindling.sparkVersion": version,
    "spark.kindling.seal": String(isSealed),
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.podTemplateFile": template(folder, "driver"),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.driver.port": String(PORTS.driver),
    "spark.driver.blockManager.port": String(PORTS.driverBlocks),
    "spark.blockManager.port": String(PORTS.executorBlocks),
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    "spark.shuffle.compress": String(isCompressed),
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const began = Date.now();
  /** @type {Promise<void>[]} */
  const meanwhile = [];
  const args = ["submit", ...flags, "--logs", `local://${FOLDER}/${APPLICATION}`, String(rows), String(linger)];
  const { exit, out, err } = await kindling(args, (line) => {
    if (!line.startsWith("SHUFFLED ") || onShuffled === undefined) return;
    const call = driverOf(client, namespace).then(onShuffled);
    // It is awaited when the job has ended, and must not end this process before.
    call.catch(() => {});
    meanwhile.push(call);
  });
  await Promise.all(meanwhile);
  const first = /^FIRST (\d+)$/m.exec(out)?.[1];
  const [, counted, shuffle] = /^SHUFFLED (\d+) (\S+)$/m.exec(out) ?? [];
  const driver = /submission ID \S+:(\S+)/.exec(err)?.[1] ?? "";
  if (Number(counted) !== rows) throw new Error(`an application ended with ${exit}: ${err}${out.slice(-3_000)}`);
  await deleteDriver({ client, namespace }, driver);
  return { first: (Number(first) - began) / 1000, shuffle: Number(shuffle), driver };
}

/**
 * Ends an application, with all that belongs to it.
 *
 * @param {{ client: import("@kindling/kube").KubeClient, namespace: string }} place
 * @param {string} driver
 */
export async function deleteDriver({ client, namespace }, driver) {
  try {
    await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 0 });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * The pod of the driver that runs.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
async function driverOf(client, namespace) {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=driver" });
  const running = items.find(({ status }) => status?.phase === "Running");
  return running?.metadata?.name ?? "";
}

/**
 * @param {string} folder
 * @param {"driver"} role
 */
export function template(folder, role) {
  const container = { name: `spark-${role}`, volumeMounts: [{ name: "applications", mountPath: FOLDER }] };
  const volumes = [{ name: "applications", configMap: { name: "applications" } }];
  const file = join(folder, `${role}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Pod", spec: { containers: [container], volumes } }));
  return file;
}
