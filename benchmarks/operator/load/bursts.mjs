import { systemClock as clock } from "@kindling/outside";
import { resources } from "@kindling/kube";
import { applicationOf, SPARK_APPLICATIONS } from "./applications.mjs";
import { observe, quantile } from "./observer.mjs";

/**
 * Applications one after the other, each when the one before has its driver: milliseconds from creation to driver pod.
 * One goes in front that is not counted: an API server takes 2 s for the first object of a definition that is new.
 */
export async function oneByOne(client, namespace, count) {
  const observer = await observe(client, namespace);
  const waits = [];
  for (let index = -1; index < count; index++) {
    const name = index < 0 ? "first" : `single-${index}`;
    const created = clock.monotonic();
    await client.create(SPARK_APPLICATIONS, applicationOf(name, namespace));
    await observer.until(
      () => observer.driverAt(name) !== undefined && observer.stateAt(name, "SUBMITTED") !== undefined,
    );
    if (index >= 0) waits.push(observer.driverAt(name) - created);
  }
  await observer.stop();
  return { median: quantile(waits, 0.5), p99: quantile(waits, 0.99) };
}

/**
 * All at once, while drivers of a few others begin to run.
 *
 * @param running how many drivers begin to run meanwhile
 */
export async function allAtOnce(client, operator, namespace, count, running = 0) {
  const observer = await observe(client, namespace);
  const early = Array.from({ length: running }, (_, index) => `early-${index}`);
  await Promise.all(early.map((name) => client.create(SPARK_APPLICATIONS, applicationOf(name, namespace))));
  await observer.until(() => early.every((name) => observer.stateAt(name, "SUBMITTED") !== undefined));
  const cpuBefore = operator.cpu();
  const started = clock.monotonic();
  const names = Array.from({ length: count }, (_, index) => `burst-${index}`);
  const created = new Map();
  const creating = Promise.all(
    names.map(async (name) => {
      await client.create(SPARK_APPLICATIONS, applicationOf(name, namespace));
      created.set(name, clock.monotonic());
    }),
  );
  const lags = startDrivers(client, observer, namespace, early);
  await creating;
  await observer.until(() => names.every((name) => observer.stateAt(name, "SUBMITTED") !== undefined));
  const seconds = (clock.monotonic() - started) / 1000;
  const cpu = operator.cpu() - cpuBefore;
  const waits = names.map((name) => Math.max(0, observer.driverAt(name) - created.get(name)));
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

const BETWEEN_DRIVERS_MS = 100;

/** Has drivers run one after the other, as a kubelet would say: milliseconds until each application says so. */
async function startDrivers(client, observer, namespace, names) {
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
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_DRIVERS_MS));
  }
  await observer.until(() => names.every((name) => observer.stateAt(name, "RUNNING") !== undefined));
  return names.map((name) => Math.max(0, observer.stateAt(name, "RUNNING") - told.get(name)));
}
