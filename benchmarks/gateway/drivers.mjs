// @ts-check
// Many drivers in one process, each with a pod, a token that is bound to it, and a watch. The executors are also watched
// directly at the API server. If a driver sees a change later than this watch, the difference is the delay of the gateway.
import { KEEPER_LABEL } from "@kindling/core-spec";
import { createKubeClient, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { serve } from "../harness/calls.mjs";
import { sleep } from "../harness/wait.mjs";
import { driverToken } from "./driver-token.mjs";
import { Driver } from "./driver.mjs";
import { driverPod, NOWHERE } from "./driver-pods.mjs";
import { Lateness } from "./lateness.mjs";

const [kubeconfig = "", namespace = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const lateness = new Lateness();
/** @type {import("./driver-pods.mjs").DriverPod[]} */
const pods = [];
/** @type {Driver[]} */
const drivers = [];

/**
 * Makes the pods of drivers, one after the other.
 *
 * @param {number} count
 * @param {string} [prefix] of the pods' names
 */
async function prepare(count, prefix = "drv") {
  for (let index = pods.length; index < count; index++)
    pods.push(await driverPod(client, namespace, `${prefix}-${index}`));
}

/**
 * Starts drivers that have not begun yet, up to this many, against a gateway.
 *
 * @param {number} count
 * @param {string} uri
 * @param {string} ca
 * @param {readonly object[]} [first] containers of their executors, before Spark's own
 */
async function begin(count, uri, ca, first = []) {
  for (const pod of pods.slice(drivers.length, count)) {
    const token = await driverToken(client, pod);
    /** @param {import("./lateness.mjs").PodEvent} event */
    const onEvent = (event) => lateness.driver(event);
    const driver = new Driver({ ...pod, uri, ca, token, onEvent, executor: NOWHERE, first });
    await driver.begin();
    drivers.push(driver);
  }
}

/**
 * Seconds until each of some drivers has seen this many more executors running.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} each
 */
async function allocate(from, to, each) {
  const started = performance.now();
  await Promise.all(drivers.slice(from, to).map((driver) => driver.allocate(each)));
  return (performance.now() - started) / 1000;
}

/** All drivers watch again, after the gateway was away. */
async function watchAgain() {
  for (const driver of drivers) await driver.watch();
}

/**
 * Seconds until some drivers have let all of their executors go, and see none of them any more.
 *
 * @param {number} from
 * @param {number} to
 */
async function letGo(from, to) {
  const started = performance.now();
  await Promise.all(drivers.slice(from, to).map((driver) => driver.letGo()));
  return (performance.now() - started) / 1000;
}

/**
 * Changes the status of executors, one driver after the other, at a given rate for a given time.
 *
 * @param {number} rate changes per second
 * @param {number} seconds
 * @param {number} [from] the first driver whose executors change
 */
async function change(rate, seconds, from = 0) {
  const lists = drivers.slice(from).map(({ phases }) => [...phases.keys()]);
  const started = performance.now();
  /** @type {Set<Promise<unknown>>} */
  const under = new Set();
  for (let index = 0; index < rate * seconds; index++) {
    const wait = started + (index * 1000) / rate - performance.now();
    if (wait > 0) await sleep(wait);
    const names = lists[index % lists.length] ?? [];
    const name = names[Math.floor(index / lists.length) % names.length];
    const one = client.request({
      method: "PATCH",
      path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
      contentType: "application/merge-patch+json",
      body: { status: { message: `change ${index}` } },
    });
    under.add(one);
    void one.finally(() => under.delete(one));
  }
  await Promise.all(under);
  // The last changes are still on their way.
  for (let wait = 0; wait < 10_000 && lateness.underWay > 0; wait += 100) {
    await sleep(100);
  }
  return (performance.now() - started) / 1000;
}

startReflector(client, resources.pods, {
  namespace,
  labelSelector: "spark-role=executor",
  clock,
  sink: {
    replace: () => undefined,
    apply(event) {
      // What happens to the pod of an executor that is gone is not for its driver.
      const labels = event.type === "BOOKMARK" ? {} : event.object.metadata?.labels;
      if (labels?.[KEEPER_LABEL] === undefined) lateness.server(event);
    },
  },
});
const functions = { prepare, begin, allocate, letGo, watchAgain, change, lateness: () => lateness.take() };
/** @typedef {typeof functions} Drivers */
serve(functions);
process.on("SIGTERM", () => process.exit(0));
