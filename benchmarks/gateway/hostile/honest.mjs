// @ts-check
// Drivers that do nothing wrong, next to hostile ones, and what they notice of them.
import { createKubeClient, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "../../harness/calls.mjs";
import { sleep } from "../../harness/wait.mjs";
import { Driver } from "../driver.mjs";
import { driverPod, NOWHERE } from "../driver-pods.mjs";
import { driverToken } from "../driver-token.mjs";
import { Lateness } from "../lateness.mjs";

const [kubeconfig = "", namespace = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const LABELS = { "scheduler.kindling/gateway": "true", "scheduler.kindling/queue": "honest" };
/** How often each driver sends a request. */
const EVERY_MS = 1_000;
const CHANGES_PER_SECOND = 20;
const lateness = new Lateness();
/** @type {Driver[]} */
const drivers = [];
/**
 * How long requests took, in milliseconds.
 *
 * @type {number[]}
 */
let took = [];
let executors = 0;
/** Makes each change different, because writing the same value twice is not a change. */
let change = 0;

/** @typedef {import("../lateness.mjs").PodEvent} PodEvent */

/**
 * Starts drivers with this many executors each, all of which run.
 *
 * @param {number} count
 * @param {number} each
 * @param {string} uri
 * @param {string} ca
 */
async function begin(count, each, uri, ca) {
  executors = each;
  for (let index = 0; index < count; index++) {
    const pod = await driverPod(client, namespace, `honest-${index}`, LABELS);
    const token = await driverToken(client, pod);
    /** @param {number} ms */
    const onAnswer = (ms) => took.push(ms);
    /** @param {PodEvent} event */
    const onEvent = (event) => {
      if (isChange(event)) lateness.driver(event);
    };
    const driver = new Driver({ ...pod, uri, ca, token, onEvent, onAnswer, executor: NOWHERE });
    await driver.begin();
    drivers.push(driver);
  }
  await Promise.all(drivers.map((driver) => driver.allocate(each)));
}

/**
 * Keeps the drivers working for some time. Returns how long requests and events took, in milliseconds, what failed, and what is
 * missing.
 *
 * @param {number} seconds
 */
async function live(seconds) {
  lateness.take();
  took = [];
  /** @type {string[]} */
  const failures = [];
  const end = performance.now() + seconds * 1000;
  await Promise.all([changes(end, failures), ...drivers.map((driver, index) => ask(driver, index, end, failures))]);
  const requests = took.sort((a, b) => a - b);
  const lists = await Promise.all(drivers.map((driver) => driver.list().catch(() => 0)));
  const { samples, missing } = lateness.take();
  return {
    requests,
    failures,
    events: samples,
    eventsMissing: missing,
    executorsLost: lists.reduce((lost, count) => lost + Math.max(0, executors - count), 0),
    watched: drivers.filter(({ running }) => running >= executors).length,
  };
}

/**
 * @param {Driver} driver
 * @param {number} index
 * @param {number} end
 * @param {string[]} failures to which new ones are added
 */
async function ask(driver, index, end, failures) {
  await sleep((index * EVERY_MS) / drivers.length);
  for (let turn = index; performance.now() < end; turn++) {
    const began = performance.now();
    try {
      await (turn % 5 === 0 ? driver.exchange() : driver.list());
    } catch (error) {
      failures.push(String(error).slice(0, 300));
    }
    await sleep(Math.max(0, EVERY_MS - (performance.now() - began)));
  }
}

/**
 * Changes the status of executors, one driver after the other.
 *
 * @param {number} end
 * @param {string[]} failures to which new ones are added
 */
async function changes(end, failures) {
  for (; performance.now() < end; change++) {
    const index = change;
    const names = [...(drivers[index % drivers.length]?.phases.keys() ?? [])].slice(0, executors);
    const name = names[Math.floor(index / drivers.length) % names.length];
    const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
    const body = { status: { message: `change ${index}` } };
    await client
      .request({ method: "PATCH", path, contentType: "application/merge-patch+json", body })
      .catch((error) => failures.push(`a change of ${name}: ${String(error).slice(0, 300)}`));
    await sleep(1000 / CHANGES_PER_SECOND);
  }
  // The last changes are still on their way.
  for (let wait = 0; wait < 5_000 && lateness.underWay > 0; wait += 100) await sleep(100);
}

/**
 * Executors that are deleted right after they were requested may come and go unseen.
 *
 * @param {PodEvent} event
 */
function isChange(event) {
  return event.type !== "BOOKMARK" && event.object.status?.message?.startsWith("change ") === true;
}

startReflector(client, resources.pods, {
  namespace,
  labelSelector: "spark-role=executor",
  clock,
  sink: {
    replace: () => undefined,
    apply(event) {
      if (isChange(event)) lateness.server(event);
    },
  },
});
const functions = { begin, live };
/** @typedef {typeof functions} Honest */
/** @typedef {Awaited<ReturnType<typeof live>>} Life what the drivers have noticed */
serve(functions);
process.on("SIGTERM", () => process.exit(0));
