// @ts-check
import { systemClock as clock } from "@kindling/outside";
import { resources } from "@kindling/kube";
import { applicationOf, observe } from "@kindling/kubeflow-parity/operators";
import { customResources } from "@kindling/spark-application";
import { quantile } from "../../harness/figures.mjs";
import { sleep } from "../../harness/wait.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/** @typedef {import("@kindling/kubeflow-parity/operators").Observer} Observer */

/**
 * The cost of many applications at the same time, in milliseconds.
 *
 * @typedef {object} Burst
 * @property {number} perMinute
 * @property {number} cpuEach seconds
 * @property {{ median: number, p99: number, longest: number }} waits from creation to driver pod
 * @property {readonly number[]} lags from the time when a driver runs to the time when the state says so
 * @property {number} peak of the operator's memory, in MiB
 */

/**
 * Creates applications one after the other, each when the previous one has its driver. Returns milliseconds from creation to
 * driver pod. The first application is not counted, because an API server takes 2 s for the first object of a new definition.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {number} count
 */
export async function oneByOne(client, namespace, count) {
  const observer = await observe(client, namespace);
  /** @type {number[]} */
  const waits = [];
  for (let index = -1; index < count; index++) {
    const name = index < 0 ? "first" : `single-${index}`;
    const created = clock.monotonic();
    await client.create(customResources.sparkApplications, applicationOf(name, namespace));
    await observer.until(
      () => observer.driverAt(name) !== undefined && observer.stateAt(name, "SUBMITTED") !== undefined,
    );
    if (index >= 0) waits.push((observer.driverAt(name) ?? Number.NaN) - created);
  }
  await observer.stop();
  return { median: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
}

/**
 * Creates all applications at once, while drivers of a few other applications begin to run.
 *
 * @param {KubeClient} client
 * @param {import("@kindling/kubeflow-parity/operators").RunningOperator} operator
 * @param {string} namespace
 * @param {number} count
 * @param {number} running how many drivers begin to run in the meantime
 * @returns {Promise<Burst>}
 */
export async function allAtOnce(client, operator, namespace, count, running = 0) {
  const observer = await observe(client, namespace);
  const early = Array.from({ length: running }, (_, index) => `early-${index}`);
  await Promise.all(
    early.map((name) => client.create(customResources.sparkApplications, applicationOf(name, namespace))),
  );
  await observer.until(() => early.every((name) => observer.stateAt(name, "SUBMITTED") !== undefined));
  const cpuBefore = operator.cpu();
  const started = clock.monotonic();
  const names = Array.from({ length: count }, (_, index) => `burst-${index}`);
  /** @type {Map<string, number>} */
  const created = new Map();
  const creating = Promise.all(
    names.map(async (name) => {
      await client.create(customResources.sparkApplications, applicationOf(name, namespace));
      created.set(name, clock.monotonic());
    }),
  );
  const lags = startDrivers(client, observer, namespace, early);
  await creating;
  await observer.until(() => names.every((name) => observer.stateAt(name, "SUBMITTED") !== undefined));
  const seconds = (clock.monotonic() - started) / 1000;
  const cpu = operator.cpu() - cpuBefore;
  const waits = names.map((name) => waitOf(observer.driverAt(name), created.get(name)));
  const seen = await lags;
  await observer.stop();
  return {
    perMinute: (count / seconds) * 60,
    cpuEach: cpu / count,
    waits: { median: quantile(waits, 0.5), p99: quantile(waits, 0.99), longest: quantile(waits, 1) },
    lags: seen,
    peak: operator.peak(),
  };
}

/**
 * How long something took, from the time of the request to the time when it was there.
 *
 * @param {number | undefined} there
 * @param {number | undefined} asked
 */
function waitOf(there, asked) {
  return Math.max(0, (there ?? Number.NaN) - (asked ?? Number.NaN));
}

const BETWEEN_DRIVERS_MS = 100;

/**
 * Reports drivers as running one after the other, as a kubelet would. Returns milliseconds until each application says so.
 *
 * @param {KubeClient} client
 * @param {Observer} observer
 * @param {string} namespace
 * @param {readonly string[]} names
 */
async function startDrivers(client, observer, namespace, names) {
  /** @type {Map<string, number>} */
  const told = new Map();
  for (const name of names) {
    await client.patch(
      resources.pods,
      `${name}-driver`,
      "merge",
      { status: { phase: "Running" } },
      { namespace, subresource: "status" },
    );
    told.set(name, clock.monotonic());
    await sleep(BETWEEN_DRIVERS_MS);
  }
  await observer.until(() => names.every((name) => observer.stateAt(name, "RUNNING") !== undefined));
  return names.map((name) => waitOf(observer.stateAt(name, "RUNNING"), told.get(name)));
}
