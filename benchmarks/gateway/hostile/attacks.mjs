// @ts-check
// Attacks that a hostile driver repeats. Each is called with the hostile driver and with the names of another driver.

/** @typedef {{ name: string, uid: string, app: string }} Victim names of the driver of another user */

/**
 * A hostile driver: it sends requests, and returns the status of their answers.
 *
 * @typedef {object} HostileDriver
 * @property {string} name of its pod
 * @property {string} uid of its pod
 * @property {string} app
 * @property {() => number} next a number that was not used before
 * @property {(method: string, rest: string, body?: string, type?: string) => Promise<number>} send
 * @property {(resource: string, object: object) => Promise<number>} post
 */

/** @param {{ name: string, uid: string }} pod */
const owner = ({ name, uid }) => ({ apiVersion: "v1", kind: "Pod", name, uid, controller: true });

/**
 * @param {{ app: string }} driver
 * @param {number} id
 */
const labels = ({ app }, id) => ({
  "spark-role": "executor",
  "spark-app-selector": app,
  "spark-exec-id": String(id),
  "spark-exec-resourceprofile-id": "0",
});

/**
 * An executor as Spark requests it, with some fields changed.
 *
 * @param {HostileDriver} driver
 * @param {{ metadata?: object, spec?: object }} other
 */
function executor(driver, { metadata = {}, spec = {} } = {}) {
  const id = driver.next();
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${driver.name}-exec-${id}`,
      labels: labels(driver, id),
      ownerReferences: [owner(driver)],
      ...metadata,
    },
    spec: { schedulerName: "nobody", containers: [{ name: "spark-kubernetes-executor", image: "spark" }], ...spec },
  };
}

/**
 * @param {HostileDriver} driver
 * @param {"StatefulSet" | "Deployment"} kind
 * @param {number} replicas
 * @param {object} more of its metadata
 */
function set(driver, kind, replicas, more = {}) {
  const { "spark-exec-id": _id, ...matchLabels } = labels(driver, 0);
  const template = executor(driver);
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: {
      name: `spark-${kind.charAt(0).toLowerCase()}-${driver.app}-0`,
      ownerReferences: [owner(driver)],
      ...more,
    },
    spec: {
      replicas,
      selector: { matchLabels },
      template: { metadata: { labels: labels(driver, 0) }, spec: template.spec },
    },
  };
}

/** 26 operations that copy an object into itself: about 10 million members. */
const COPIES = [
  { op: "add", path: "/metadata/annotations", value: { a: "b" } },
  ...Array.from({ length: 26 }, (_, index) => ({
    op: "copy",
    from: "/metadata",
    path: `/metadata/annotations/${index}`,
  })),
];
const TINY = `{"x":[${"{},".repeat(870_000)}{}]}`;
const LARGE = "x".repeat(1_000_000);
const json = JSON.stringify;

/** @typedef {{ name: string, everyMs: number, act: (driver: HostileDriver, victim: Victim) => Promise<number> }} Attack */

/** @type {readonly Attack[]} */
export const ATTACKS = [
  {
    name: "an executor that says it is of another one's set",
    everyMs: 500,
    act: (driver, victim) =>
      driver.post(
        "pods",
        executor(driver, {
          metadata: {
            annotations: {
              "gateway.kindling/set": `statefulsets/spark-s-${victim.app}-0`,
              "gateway.kindling/driver": victim.uid,
            },
            name: `${driver.name}-exec-${driver.next()}`,
            labels: labels(driver, 1),
            ownerReferences: [owner(driver)],
          },
        }),
      ),
  },
  {
    name: "an executor of another one's",
    everyMs: 500,
    act: (driver, victim) =>
      driver.post("pods", {
        ...executor(driver),
        metadata: { name: `${victim.name}-exec-999`, labels: labels(driver, 999), ownerReferences: [owner(victim)] },
      }),
  },
  {
    name: "an executor with finalizers and another kind of owner",
    everyMs: 500,
    act: (driver, victim) =>
      driver.post(
        "pods",
        executor(driver, {
          metadata: {
            name: `${driver.name}-exec-${driver.next()}`,
            labels: labels(driver, 1),
            finalizers: ["kindling.test/never"],
            ownerReferences: [{ ...owner(victim), kind: "StatefulSet", apiVersion: "apps/v1" }],
          },
        }),
      ),
  },
  {
    name: "a patch that copies an object into itself",
    everyMs: 300,
    act: (driver) => driver.send("PATCH", `pods/${driver.name}`, json(COPIES), "application/json-patch+json"),
  },
  { name: "millions of tiny values", everyMs: 2_000, act: (driver) => driver.send("POST", "pods", TINY) },
  {
    name: "a quantity of a million digits",
    everyMs: 1_000,
    act: (driver) => {
      const resources = { requests: { cpu: "9".repeat(1_000_000) } };
      return driver.post(
        "pods",
        executor(driver, {
          spec: { containers: [{ name: "spark-kubernetes-executor", image: "spark", resources }] },
        }),
      );
    },
  },
  {
    name: "sets that are large and empty",
    everyMs: 1_000,
    act: (driver) => driver.post("statefulsets", set(driver, "StatefulSet", 0, { annotations: { large: LARGE } })),
  },
  {
    name: "sets of 20,000",
    everyMs: 1_000,
    act: (driver) => driver.post("deployments", set(driver, "Deployment", 20_000)),
  },
  {
    name: "ConfigMaps without an owner",
    everyMs: 300,
    act: (driver) =>
      driver.post("configmaps", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          name: `spark-exec-${(driver.next() + 2 ** 44).toString(16)}-conf-map`,
          labels: { "spark-app-selector": driver.app },
        },
        data: { a: LARGE.slice(0, 100_000) },
      }),
  },
  {
    name: "claims without an owner",
    everyMs: 300,
    act: (driver) =>
      driver.post("persistentvolumeclaims", {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: `${driver.name}-exec-${driver.next()}-pvc-0`, labels: { "spark-app-selector": driver.app } },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
      }),
  },
  {
    name: "pods that ask for room beside their containers",
    everyMs: 500,
    act: (driver) => driver.post("pods", executor(driver, { spec: { resources: { requests: { cpu: "8" } } } })),
  },
  {
    name: "pods with more than their driver may have",
    everyMs: 500,
    act: (driver) =>
      driver.post(
        "pods",
        executor(driver, {
          spec: {
            hostNetwork: true,
            runtimeClassName: "other",
            volumes: [{ name: "v", nfs: { server: "10.0.0.1", path: "/" } }],
            containers: [{ name: "spark-kubernetes-executor", image: "spark" }],
          },
        }),
      ),
  },
  {
    name: "all executors of another one's application",
    everyMs: 500,
    act: (driver, victim) =>
      driver.send("DELETE", `pods?labelSelector=${encodeURIComponent(`spark-app-selector=${victim.app}`)}`, "{}"),
  },
  {
    name: "another one's executor by name",
    everyMs: 500,
    act: (driver, victim) => driver.send("DELETE", `pods/${victim.name}-exec-1`, "{}"),
  },
  { name: "lists of all pods", everyMs: 100, act: (driver) => driver.send("GET", "pods") },
  {
    name: "a label on its own pod",
    everyMs: 200,
    act: (driver) =>
      driver.send(
        "PATCH",
        `pods/${driver.name}`,
        json({ metadata: { labels: { a: String(driver.next()) } } }),
        "application/merge-patch+json",
      ),
  },
];
