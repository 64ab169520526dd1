// @ts-check
import { isNotFound, resources } from "@kindling/kube";
import {
  SCHEDULER_ADMISSION_GATE,
  SCHEDULER_EXECUTOR_REQUEST_ANNOTATION,
  SCHEDULER_GATEWAY_LABEL,
  SCHEDULER_MIN_EXECUTORS_ANNOTATION,
  SCHEDULER_QUEUE_LABEL,
  SCHEDULER_SPOT_ANNOTATION,
} from "@kindling/core-spec";
import { sleep } from "../../harness/wait.mjs";
import { identityOf } from "../driver-pods.mjs";
import { driverToken } from "../driver-token.mjs";
import { Driver } from "../driver.mjs";

const LOOK_MS = 100;
const BATCH_DELAY_MS = 1_000;
const EXECUTOR = { cpu: "1", memory: "1408Mi" };

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/**
 * @typedef {{ queue: string, name: string, done: number }} Application `done` is its progress, in seconds of work of one
 * executor
 */
/** @typedef {Application & { pod: import("../driver-pods.mjs").DriverPod }} Submitted */

/**
 * Where applications run, and whether a gateway decides when they may run.
 *
 * @typedef {object} Way
 * @property {KubeClient} client
 * @property {string} namespace
 * @property {boolean} isGated
 * @property {string} uri where drivers request executors
 * @property {string} ca
 * @property {{ nodeSelector?: Record<string, string> }} [placement] where its pods may run; everywhere if it says nothing
 */

/** @typedef {Way & { executors: number, minimum: number, work: number, signal: AbortSignal }} RunOptions */

/**
 * Creates the driver pod of an application. The pod may have a scheduling gate, which a gateway removes.
 *
 * @param {Application} application
 * @param {Pick<RunOptions, "client" | "namespace" | "isGated" | "minimum" | "placement"> & { spot?: object }} options `spot` is what it
 * wishes of spot nodes
 * @returns {Promise<Submitted>}
 */
export async function submit(application, options) {
  const { client, namespace } = options;
  const pod = await client.create(resources.pods, driverPod(application, options), { namespace });
  return { ...application, pod: identityOf(pod) };
}

/**
 * Runs a submitted application to its end, or until it is aborted. Its executors do its work as soon as enough of them run.
 *
 * @param {Submitted} application
 * @param {RunOptions} options
 */
export async function runApplication(application, options) {
  await runDriver(application, options, (driver) => work(application, driver, options));
}

/**
 * Runs the driver of a submitted application as soon as its pod runs, and deletes the pod at the end.
 *
 * @param {Submitted} application
 * @param {Way & { signal: AbortSignal }} options
 * @param {(driver: Driver) => Promise<void>} work what it does; resolved when it is done or was aborted
 */
export async function runDriver({ name, pod }, { client, namespace, uri, ca, isGated, placement = {}, signal }, work) {
  if (!(await runs(client, namespace, pod, signal))) return;
  const token = await driverToken(client, pod, isGated ? undefined : []);
  const driver = new Driver({ ...pod, uri, ca, token, executor: placement });
  await driver.begin();
  await work(driver);
  // An aborted application deletes nothing; everything is deleted with the namespace.
  if (signal.aborted) return driver.leave();
  await driver.finish();
  await client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 });
}

/**
 * @param {Submitted} application
 * @param {Driver} driver
 * @param {RunOptions} options
 */
async function work(application, driver, { executors, minimum, work: all, signal }) {
  let isWorking = false;
  let last = performance.now();
  let asked = last - BATCH_DELAY_MS;
  while (application.done < all && !signal.aborted) {
    await sleep(LOOK_MS);
    const now = performance.now();
    isWorking ||= driver.running >= minimum;
    if (isWorking) application.done += (driver.running * (now - last)) / 1000;
    last = now;
    if (now - asked < BATCH_DELAY_MS) continue;
    await driver.batch(executors);
    asked = performance.now();
  }
}

/**
 * @param {Application} application
 * @param {Pick<RunOptions, "isGated" | "minimum" | "placement"> & { spot?: object }} options
 */
function driverPod({ queue, name }, { isGated, minimum, placement = {}, spot }) {
  const labels = { "spark-role": "driver", "spark-app-selector": `spark-${name}`, [SCHEDULER_QUEUE_LABEL]: queue };
  const spec = {
    restartPolicy: "Never",
    serviceAccountName: "spark",
    automountServiceAccountToken: false,
    ...placement,
    containers: [{ name: "spark-kubernetes-driver", image: "spark", resources: { requests: EXECUTOR } }],
  };
  if (!isGated) return { metadata: { name, labels }, spec };
  const annotations = {
    [SCHEDULER_MIN_EXECUTORS_ANNOTATION]: String(minimum),
    [SCHEDULER_EXECUTOR_REQUEST_ANNOTATION]: JSON.stringify(EXECUTOR),
    ...(spot !== undefined && { [SCHEDULER_SPOT_ANNOTATION]: JSON.stringify(spot) }),
  };
  return {
    metadata: { name, labels: { ...labels, [SCHEDULER_GATEWAY_LABEL]: "true" }, annotations },
    spec: { ...spec, schedulingGates: [{ name: SCHEDULER_ADMISSION_GATE }] },
  };
}

/**
 * Whether the pod starts running before the signal is aborted.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {import("../driver-pods.mjs").DriverPod} pod
 * @param {AbortSignal} signal
 */
async function runs(client, namespace, { name }, signal) {
  while (!signal.aborted) {
    try {
      const { status } = await client.get(resources.pods, name, { namespace });
      if (status?.phase === "Running") return true;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    await sleep(LOOK_MS);
  }
  return false;
}
