// @ts-check
// Starts the services without work and without a cluster, and records the metrics and the routes that they register.
import diagnostics from "node:diagnostics_channel";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const LOCAL = ["--listen-host=127.0.0.1", "--listen-port=0", "--admin-host=127.0.0.1", "--admin-port=0"];
const log = { write: () => true };
const readFile = () => "";

/** @typedef {"staging-server" | "gateway" | "submission-server" | "recorder" | "connect"} Service a folder of `packages` */
/** @typedef {{ name: string, help: string, type: string, labels: string[] }} Metric */
/** @typedef {{ method: string, url: string, config: { readonly access?: string } }} Route */

/**
 * Starts a service; `folder` belongs to it while it runs. The result stops the service.
 *
 * @type {Readonly<Record<Service, (folder: string) => Promise<() => Promise<void>>>>}
 */
const STARTERS = {
  "staging-server": async (folder) => {
    const { loadConfig, startStagingServer } = await import("../../packages/staging-server/dist/index.js");
    const args = [...LOCAL, `--store-path=${folder}`, "--auth-mode=none", "--lifecycle-owners=none"];
    const connectCluster = () => Promise.reject(new Error("there is no cluster"));
    const server = await startStagingServer(loadConfig({ args, env: {}, readFile }), { log, connectCluster });
    return () => server.stop();
  },
  gateway: async (folder) => {
    const { loadConfig, startGateway } = await import("../../packages/gateway/dist/index.js");
    const client = await clientOfNowhere(folder);
    const args = [...LOCAL, "--tls-plain-http=true", "--cluster-namespaces=default"];
    const gateway = await startGateway(loadConfig({ args, env: {}, readFile }), { client, log });
    gateway.ready.catch(() => {});
    return () => gateway.stop().finally(() => client.close());
  },
  "submission-server": async (folder) => {
    const { loadConfig, startSubmissionServer } = await import("../../packages/submission-server/dist/index.js");
    const client = await clientOfNowhere(folder);
    const config = loadConfig({ args: [...LOCAL, "--cluster-namespaces=default"], env: {}, readFile });
    const server = await startSubmissionServer(config, { client, log });
    server.ready.catch(() => {});
    return () => server.stop().finally(() => client.close());
  },
  recorder: async (folder) => {
    const { loadConfig, startRecorderServer } = await import("../../packages/recorder/dist/server.js");
    const client = await clientOfNowhere(folder);
    const args = [...LOCAL, `--store-path=${folder}/archive`, `--spool-path=${folder}/spool`];
    const server = await startRecorderServer(loadConfig({ args, env: {}, readFile }), { client, log });
    return () => server.stop().finally(() => client.close());
  },
  connect: async (folder) => {
    const { loadConfig, startConnectServer } = await import("../../packages/connect/dist/server.js");
    const client = await clientOfNowhere(folder);
    const profiles = join(folder, "profiles.yaml");
    writeFileSync(profiles, "profiles: {small: {namespace: default, image: spark}}");
    const args = [...LOCAL, `--profiles-file=${profiles}`];
    const server = await startConnectServer(loadConfig({ args, env: {}, readFile }), { client, log });
    return () => server.stop().finally(() => client.close());
  },
};

/** @param {string} folder */
async function clientOfNowhere(folder) {
  const { createKubeClient, loadClusterAccess } = await import("../../packages/kube/dist/index.js");
  const kubeconfigPath = join(folder, "kubeconfig");
  writeFileSync(kubeconfigPath, NOWHERE);
  return createKubeClient(await loadClusterAccess({ kubeconfigPath }));
}

/** A cluster that does not answer. Services start all the same. */
const NOWHERE = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "nowhere",
  contexts: [{ name: "nowhere", context: { cluster: "nowhere", user: "nobody" } }],
  clusters: [{ name: "nowhere", cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ name: "nobody", user: {} }],
});

/**
 * The metrics and routes that a service registers when it starts.
 *
 * @param {Service} service
 * @returns its own metrics, by name, and fastify's routes in the order in which they are declared
 */
export async function describeService(service) {
  /** @type {Map<string, Metric>} */
  const metrics = new Map();
  /** @type {Route[]} */
  const routes = [];
  const undo = [noteMetrics(service, metrics), noteRoutes(routes)];
  const folder = mkdtempSync(join(tmpdir(), "kindling-describe-"));
  try {
    const stop = await STARTERS[service](folder);
    await stop();
  } finally {
    for (const stopNoting of undo) stopNoting();
    rmSync(folder, { recursive: true, force: true });
  }
  const own = [...metrics.values()].filter(({ name }) => !/^(?:process|nodejs)_/.test(name));
  return { metrics: own.toSorted((a, b) => (a.name < b.name ? -1 : 1)), routes };
}

/**
 * The members of prom-client's registries and metrics that are used here.
 *
 * @typedef {{ name: string, help: string, type?: string, labelNames?: readonly string[], constructor: Function }} PromMetric
 * @typedef {{ Registry: { prototype: { registerMetric: (this: unknown, metric: PromMetric) => unknown } } }} PromClient
 */

/**
 * @param {Service} service
 * @param {Map<string, Metric>} metrics to which new ones are added
 */
function noteMetrics(service, metrics) {
  const require = createRequire(new URL(`../../packages/${service}/package.json`, import.meta.url));
  /** @type {PromClient} */
  const { Registry } = require("prom-client");
  const { registerMetric } = Registry.prototype;
  Registry.prototype.registerMetric = function note(metric) {
    const { name, help, type = metric.constructor.name.toLowerCase(), labelNames = [] } = metric;
    metrics.set(name, { name, help, type, labels: [...labelNames] });
    return registerMetric.call(this, metric);
  };
  return () => {
    Registry.prototype.registerMetric = registerMetric;
  };
}

/**
 * What fastify publishes about itself, and about each route.
 *
 * @typedef {{ method: string | string[], url: string, config?: Route["config"] }} Declared
 * @typedef {{ fastify: { addHook: (name: "onRoute", hook: (route: Declared) => void) => void } }} Initialization
 */

/** @param {Route[]} routes to which new ones are added */
function noteRoutes(routes) {
  /** @param {unknown} message */
  const note = (message) => {
    const { fastify } = /** @type {Initialization} */ (message);
    fastify.addHook("onRoute", ({ method, url, config = {} }) => {
      for (const each of [method].flat()) routes.push({ method: each, url, config });
    });
  };
  diagnostics.subscribe("fastify.initialization", note);
  return () => diagnostics.unsubscribe("fastify.initialization", note);
}
