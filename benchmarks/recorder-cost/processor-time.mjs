// @ts-check
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { resources } from "@kindling/kube";
import { kindling } from "../gateway/kindling.mjs";

const PROGRAM = fileURLToPath(new URL("busy.py", import.meta.url));
const EVENT_LOG = "kindling-event-log";
const LOOK_MS = 2_000;
const EXECUTORS = 2;
const IDLE_MS = 60_000;
/** The kubelet takes new figures in at least this time. */
const FIGURES_MS = 25_000;

/**
 * Processor time in seconds, from the beginning of the applications until they have computed for the given time.
 *
 * @typedef {object} Used
 * @property {number} applications drivers and executors
 * @property {number} eventLogs the containers beside the drivers
 * @property {number} recorder besides what it takes without applications
 * @property {number} idleRecorder what it takes without applications in a minute
 */

/**
 * @param {import("./driver-start.mjs").Place} place
 * @param {{ applications: number, busySeconds: number }} options
 * @returns {Promise<Used>}
 */
export async function processorTime(place, { applications, busySeconds }) {
  await sleep(FIGURES_MS);
  const idle = await figures(place);
  await sleep(IDLE_MS);
  const before = await figures(place);
  const idleRecorder = before.recorder - idle.recorder;
  const begun = Date.now();
  const names = Array.from({ length: applications }, (_, number) => `busy-${number}`);
  const settings = ["--conf", `spark.executor.instances=${EXECUTORS}`];
  // They are looked at before they end, because the figures go with the pods.
  const program = [PROGRAM, String(busySeconds * 2), String(EXECUTORS)];
  /** @type {string[]} */
  const drivers = [];
  for (const name of names) {
    const args = ["submit", "-n", place.namespace, "--name", name, ...place.flags, ...settings, ...program];
    const { exit, out, err } = await kindling(args);
    const [, driver] = /submission ID [^:\s]+:(\S+)/.exec(out + err) ?? [];
    if (exit !== 0 || driver === undefined) throw new Error(`${name} cannot be submitted: ${err}`);
    drivers.push(driver);
  }
  await untilExecutorsRun(place, applications * EXECUTORS);
  await sleep(busySeconds * 1000);
  const after = await figures(place);
  const recorder = after.recorder - before.recorder - (idleRecorder * (Date.now() - begun)) / IDLE_MS;
  for (const driver of drivers) await place.client.delete(resources.pods, driver, { namespace: place.namespace });
  return {
    applications: after.applications,
    eventLogs: after.eventLogs,
    recorder,
    idleRecorder,
  };
}

/**
 * @param {import("./driver-start.mjs").Place} place
 * @param {number} wanted
 */
async function untilExecutorsRun({ client, namespace }, wanted) {
  for (;;) {
    const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role=executor" });
    if (items.filter(({ status }) => status?.phase === "Running").length >= wanted) return;
    await sleep(LOOK_MS);
  }
}

/**
 * @param {import("./driver-start.mjs").Place} place
 * @returns {Promise<Pick<Used, "applications" | "eventLogs" | "recorder">>}
 */
async function figures({ client, namespace, system }) {
  const { items } = await client.listAll(resources.nodes);
  const used = { applications: 0, eventLogs: 0, recorder: 0 };
  for (const { metadata } of items) {
    const path = `/api/v1/nodes/${metadata?.name}/proxy/stats/summary`;
    const summary = /** @type {any} */ (await client.request({ method: "GET", path }));
    for (const { podRef, containers = [] } of summary.pods) {
      for (const { name, cpu } of containers) {
        const taken = (cpu?.usageCoreNanoSeconds ?? 0) / 1e9;
        if (podRef.namespace === system && podRef.name.includes("recorder")) used.recorder += taken;
        else if (podRef.namespace === namespace && name === EVENT_LOG) used.eventLogs += taken;
        else if (podRef.namespace === namespace && name.startsWith("spark-kubernetes-")) used.applications += taken;
      }
    }
  }
  return used;
}
