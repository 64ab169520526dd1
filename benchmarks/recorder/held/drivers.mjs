// @ts-check
// Drivers in a process of their own, whose pods run. They delete their executors through a gateway as soon as these have ended.
// A watch of the API server says when the pods are gone.
import { createKubeClient, loadClusterAccess, resources, startReflector } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import { identityOf } from "../../gateway/driver-pods.mjs";
import { driverToken } from "../../gateway/driver-token.mjs";
import { Driver } from "../../gateway/driver.mjs";
import { serve } from "../../harness/calls.mjs";
import { sleep } from "../../harness/wait.mjs";
import { driverOf } from "../spark-pods.mjs";

const [kubeconfig = "", namespace = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const AGAIN_MS = 1_000;
/** @type {Driver[]} */
const drivers = [];
/**
 * When the deletion of an executor was requested, by its name; no longer there when its pod is gone.
 *
 * @type {Map<string, number>}
 */
const requested = new Map();
/**
 * Milliseconds from the request until the pod is gone.
 *
 * @type {number[]}
 */
const took = [];

/** @param {string} name of an executor whose pod is no longer there */
function isGone(name) {
  const began = requested.get(name);
  if (began === undefined) return;
  took.push(performance.now() - began);
  requested.delete(name);
}

startReflector(client, resources.pods, {
  ...{ namespace, clock, labelSelector: "spark-role=executor" },
  sink: {
    // The watch was cut, and some pods may have gone since.
    replace(pods) {
      const there = new Set(pods.map(({ metadata }) => metadata?.name));
      for (const name of [...requested.keys()]) if (!there.has(name)) isGone(name);
    },
    apply(event) {
      if (event.type === "DELETED") isGone(event.object.metadata?.name ?? "");
    },
  },
});

/**
 * A gateway ends a watch that is read too slowly. Drivers then watch again.
 *
 * @param {Driver} driver
 */
function watchAgain(driver) {
  driver.watch().catch(() => sleep(AGAIN_MS).then(() => watchAgain(driver)));
}

/** @param {string} app */
function driverPod(app) {
  const { metadata, spec, ...rest } = driverOf(app);
  const labels = { ...metadata.labels, "spark-app-selector": `spark-${metadata.name}` };
  const account = { serviceAccountName: "spark", automountServiceAccountToken: false };
  return { ...rest, metadata: { ...metadata, labels }, spec: { ...spec, ...account } };
}

const functions = {
  ready: () => true,
  /**
   * Starts this many drivers against a gateway.
   *
   * @param {number} count
   * @param {string} uri
   * @param {string} ca
   */
  async begin(count, uri, ca) {
    for (let index = 0; index < count; index++) {
      const pod = identityOf(await client.create(resources.pods, driverPod(`app-${index}`), { namespace }));
      const token = await driverToken(client, pod);
      /** @param {string} name */
      const onDelete = (name) => requested.set(name, performance.now());
      const driver = new Driver({ ...pod, uri, ca, token, onDelete, onWatchEnd: watchAgain, executor: {} });
      await driver.begin();
      drivers.push(driver);
    }
  },
  /**
   * Resolves when each driver has this many executors that run.
   *
   * @param {number} each
   */
  async allocate(each) {
    await Promise.all(drivers.map((driver) => driver.allocate(each)));
  },
  /** Deletes executors as they end; resolves with the milliseconds that each deletion took, when all pods are gone. */
  async deleteEnded() {
    await Promise.all(drivers.map((driver) => driver.deleteEnded()));
    while (requested.size > 0) await sleep(50);
    return took;
  },
};
/** @typedef {typeof functions} EndingDrivers */
serve(functions);
process.on("SIGTERM", () => process.exit(0));
