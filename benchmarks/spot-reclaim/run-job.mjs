// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { kindling } from "../gateway/kindling.mjs";

const FOLDER = "/opt/app";
const HOSTNAME = "kubernetes.io/hostname";

export const APPLICATION = "shuffles.py";
export const EXECUTORS = 4;
/** Tasks that write into the shuffle; the first job reads it once with as many tasks as the second. */
export const WRITERS = 24;

/**
 * @typedef {object} JobOptions
 * @property {string} namespace
 * @property {string} folder for pod templates
 * @property {string} version of Spark
 * @property {string} node where executors begin, and the driver does not
 * @property {readonly string[]} conf settings of this way to run it
 * @property {number} readers tasks that read what was shuffled
 * @property {number} seconds how long each of them takes
 */

/**
 * Runs the job to its end.
 *
 * @param {JobOptions} options
 * @param {() => void} onShuffled called when the first job is done
 * @returns {Promise<{ sum: number, tasks: number, log: string }>} `tasks`: how many ran that the application counts
 */
export async function runJob({ namespace, folder, version, node, conf, readers, seconds }, onShuffled) {
  const all = {
    "spark.kindling.sparkVersion": version,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.podTemplateFile": template(folder, "driver", node),
    "spark.kubernetes.executor.podTemplateFile": template(folder, "executor", node),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": String(EXECUTORS),
    // All tasks that read would wait for a few executors that come first.
    "spark.scheduler.minRegisteredResourcesRatio": "1.0",
  };
  const flags = [...Object.entries(all).map(([key, value]) => `${key}=${value}`), ...conf].flatMap((one) => [
    "--conf",
    one,
  ]);
  const args = ["submit", ...flags, "--logs", `local://${FOLDER}/${APPLICATION}`];
  const job = [String(WRITERS), String(readers), String(seconds)];
  const { out, err } = await kindling([...args, ...job], (line) => {
    if (line.startsWith("SHUFFLED ")) onShuffled();
  });
  const number = (/** @type {string} */ word) => Number(new RegExp(`^${word} (\\d+)$`, "m").exec(out)?.[1]);
  return { sum: number("SUM"), tasks: number("TASKS"), log: `${out}${err}` };
}

/**
 * @param {string} folder
 * @param {"driver" | "executor"} role
 * @param {string} node
 */
function template(folder, role, node) {
  const isDriver = role === "driver";
  const matchExpressions = [{ key: HOSTNAME, operator: isDriver ? "NotIn" : "In", values: [node] }];
  const nodeAffinity = isDriver
    ? { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } }
    : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: { matchExpressions } }] };
  const container = { name: `spark-${role}`, volumeMounts: [{ name: "applications", mountPath: FOLDER }] };
  const volume = { name: "applications", configMap: { name: "applications" } };
  const spec = { affinity: { nodeAffinity }, containers: [container], volumes: [volume] };
  const file = join(folder, `${role}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Pod", spec }));
  return file;
}
