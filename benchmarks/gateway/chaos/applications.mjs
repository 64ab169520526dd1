// @ts-check
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNotFound, resources } from "@kindling/kube";
import { sleep } from "../../harness/wait.mjs";
import { kindling } from "../kindling.mjs";

const SOURCE = new URL("words.py", import.meta.url);
const FOLDER = "/opt/app";
/** What the application must print in every case. */
const COUNTS = `COUNTS [${Array.from({ length: 7 }, (_, rest) => `(${rest}, ${Math.ceil((2400 - rest) / 7)})`).join(", ")}]`;
/** The gateway deletes executors a minute after their driver has ended. */
const GONE_AFTER_MS = 120_000;

/**
 * What applications can leave behind, in addition to their driver.
 *
 * @type {readonly import("@kindling/kube").ResourceType[]}
 */
const OWNED = [resources.pods, resources.services, resources.configmaps, resources.persistentvolumeclaims];

/** What a namespace has, what this benchmark puts there, and what the next run of the application may learn from. */
const STAYING = new Set(["ConfigMap/kube-root-ca.crt", "ConfigMap/applications", "ConfigMap/kindling-memory-words-py"]);

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

/**
 * Puts the application where pods of a namespace can mount it.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 */
export async function installApplication(client, namespace) {
  const data = { "words.py": readFileSync(SOURCE, "utf8") };
  const files = { metadata: { name: "applications" }, data };
  await client.create(resources.configmaps, files, { namespace });
}

/**
 * How applications differ.
 *
 * @typedef {object} Variant
 * @property {Readonly<Record<string, string>>} [conf] what they set besides
 * @property {(seed: number) => number} [memory] how many MiB one of their tasks needs; 0: its executor is killed from outside
 */

/**
 * Applications that use a gateway. Their account has no rights.
 *
 * @param {KubeClient} client
 * @param {Variant & { namespace: string, folder: string, version: string, gatewayUri: string, caFile: string }} options `folder`
 *   is for templates, `version` is Spark's
 * @returns {(seed: number) => Promise<string[]>} runs one application to its end, and returns what went wrong
 */
export function applications(client, options) {
  const { namespace, folder, version, gatewayUri, caFile, conf: more = {}, memory = () => 0 } = options;
  /** @param {"driver" | "executor"} role */
  const template = (role) => {
    const file = join(folder, `${role}.json`);
    const container = { name: `spark-${role}`, volumeMounts: [{ name: "applications", mountPath: FOLDER }] };
    const volume = { name: "applications", configMap: { name: "applications" } };
    const pod = { apiVersion: "v1", kind: "Pod", spec: { containers: [container], volumes: [volume] } };
    writeFileSync(file, JSON.stringify(pod));
    return file;
  };
  const conf = {
    "spark.kindling.scheduler": "gateway",
    "spark.kindling.scheduler.uri": gatewayUri,
    "spark.kindling.scheduler.caFile": caFile,
    "spark.kindling.sparkVersion": version,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": `apache/spark:${version}`,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.podTemplateFile": template("driver"),
    "spark.kubernetes.executor.podTemplateFile": template("executor"),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    // If the first request of a driver is cut off, the driver ends and is started again.
    "spark.kindling.driver.restart": "onFailure",
    "spark.kindling.driver.restart.backoff": "1s",
    // Executors die because the test kills them, and that is not the application's fault.
    "spark.executor.maxNumFailures": "100",
    ...more,
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  return async (seed) => {
    const args = [String(seed), String(memory(seed))];
    const ended = await kindling(["submit", ...flags, "--logs", `local://${FOLDER}/words.py`, ...args]);
    const driver = /submission ID \S+:(\S+)/.exec(ended.err)?.[1];
    const isRight = ended.exit === 0 && ended.out.split("\n").includes(COUNTS);
    const faults = isRight ? [] : [`application ${seed} ended with ${ended.exit}:\n${ended.out.slice(-3_000)}`];
    if (driver === undefined) return [`application ${seed} was not submitted: ${ended.err}`];
    // The ConfigMap of executors is deleted together with the driver's pod if the driver could not delete it.
    const executors = async () => (await left(client, namespace)).filter((name) => /^Pod\/.*-exec-/.test(name));
    faults.push(...(await remains(executors, `the end of application ${seed}`)));
    await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 0 }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    faults.push(...(await remains(() => left(client, namespace), `driver ${driver}`)));
    return faults;
  };
}

/**
 * @param {() => Promise<readonly string[]>} look
 * @param {string} after
 */
async function remains(look, after) {
  const deadline = performance.now() + GONE_AFTER_MS;
  for (;;) {
    const names = await look();
    if (names.length === 0) return [];
    if (performance.now() > deadline) return [`left behind by ${after}: ${names.join(", ")}`];
    await sleep(500);
  }
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 */
async function left(client, namespace) {
  const lists = await Promise.all(OWNED.map((type) => client.listAll(type, { namespace })));
  const names = lists.flatMap(({ items }, index) =>
    items.map(({ metadata }) => `${OWNED[index]?.kind}/${metadata?.name}`),
  );
  return names.filter((name) => !STAYING.has(name));
}
