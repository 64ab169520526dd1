// What a client sees of applications: when each got its driver pod, and came into which state.
import { resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { SPARK_APPLICATIONS } from "./applications.mjs";

/** Watches a namespace until it is stopped. All times are milliseconds of one clock. */
export async function observe(client, namespace) {
  const drivers = new Map();
  const states = new Map();
  const waiting = new Set();
  const note = (map, key) => {
    if (map.has(key)) return;
    map.set(key, clock.monotonic());
    for (const check of waiting) check();
  };
  const sinkOf = (see) => ({
    replace: (records) => records.forEach(see),
    apply(event) {
      if (event.type === "ADDED" || event.type === "MODIFIED") see(event.object);
    },
  });
  const reflectors = [
    startReflector(client, resources.pods, {
      namespace,
      labelSelector: "spark-role=driver",
      keep: ({ metadata }) => metadata.labels["sparkoperator.k8s.io/app-name"],
      sink: sinkOf((name) => note(drivers, name)),
    }),
    startReflector(client, SPARK_APPLICATIONS, {
      namespace,
      keep: ({ metadata, status }) => [metadata.name, status?.applicationState?.state],
      sink: sinkOf(([name, state]) => {
        if (state !== undefined && state !== "") note(states, `${name} ${state}`);
      }),
    }),
  ];
  await Promise.all(reflectors.map(({ synced }) => synced));
  return {
    driverAt: (name) => drivers.get(name),
    stateAt: (name, state) => states.get(`${name} ${state}`),
    /** Resolves when a condition of the two holds. */
    until(condition) {
      return new Promise((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    stop: () => Promise.all(reflectors.map((reflector) => reflector.stop())),
  };
}

/** The value below which so large a part of all values is. */
export function quantile(values, part) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
}
