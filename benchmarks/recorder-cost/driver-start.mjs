// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { resources } from "@kindling/kube";
import { kindling } from "../gateway/kindling.mjs";
import { median } from "../harness/figures.mjs";

/**
 * Where applications run.
 *
 * @typedef {object} Place
 * @property {import("@kindling/kube").KubeClient} client
 * @property {string} namespace of applications
 * @property {string} system the namespace of the installation
 * @property {readonly string[]} flags of every submission
 * @property {string} examples Spark's examples, as the image has them
 */

const LOOK_MS = 200;
const PATIENCE_MS = 120_000;
const SETTLE_MS = 2_000;
const CONTAINER = "spark-kubernetes-driver";
const EXAMPLES = ["--class", "org.apache.spark.examples.SparkPi"];

/**
 * How long a driver takes from `kindling submit` to the first line of its log, with its event log recorded and without, by turns.
 *
 * @param {Place} place
 * @param {number} pairs
 * @returns {Promise<{ with: number, without: number, later: number }>} medians in milliseconds, and the mean difference: kubelets
 * look for the volumes of a pod every 300 ms, so medians are apart by nothing or by that
 */
export async function driverStart(place, pairs) {
  /** @type {number[]} */
  const recorded = [];
  /** @type {number[]} */
  const native = [];
  for (let pair = 0; pair < pairs; pair++) {
    /** @type {[number[], string[]][]} */
    const both = [
      [recorded, []],
      [native, ["--conf", "spark.kindling.eventLog=native"]],
    ];
    // The second one of a pair may find a machine that is warmer.
    for (const [times, flags] of pair % 2 === 0 ? both : both.toReversed()) times.push(await oneStart(place, flags));
  }
  return { with: median(recorded), without: median(native), later: mean(recorded) - mean(native) };
}

/** @param {readonly number[]} values */
function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param {Place} place
 * @param {readonly string[]} flags
 */
async function oneStart({ client, namespace, flags: common, examples }, flags) {
  const begin = Date.now();
  const args = ["submit", "-n", namespace, "--name", "start", ...common, ...flags, ...EXAMPLES, examples];
  const { exit, out, err } = await kindling(args);
  const [, driver] = /submission ID [^:\s]+:(\S+)/.exec(out + err) ?? [];
  if (exit !== 0 || driver === undefined) throw new Error(`a driver cannot be submitted: ${err}`);
  const first = await firstLineAt(client, namespace, driver);
  await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 1 });
  // What still ends would take the processor of the next one.
  while ((await client.listAll(resources.pods, { namespace })).items.length > 0) await sleep(LOOK_MS);
  await sleep(SETTLE_MS);
  return first - begin;
}

/**
 * When the container runtime took the first line of a driver.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {string} driver
 */
async function firstLineAt(client, namespace, driver) {
  const giveUp = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUp) {
    const lines = await client
      .logs(driver, { namespace, container: CONTAINER, timestamps: true })
      .then((log) => log.lines())
      .catch(() => []);
    for await (const line of lines) return Date.parse(line.split(" ")[0] ?? "");
    await sleep(LOOK_MS);
  }
  throw new Error(`${driver} has said nothing`);
}
