// @ts-check
// The API server that a benchmark uses: the one of KUBECONFIG, or an embedded cluster in a separate process.
import { mkdtempSync, rmSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createKubeClient, isNotFound, loadClusterAccess, resources } from "@kindling/kube";
import { start } from "./calls.mjs";
import { sleep } from "./wait.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/** @typedef {import("./request-kinds.mjs").RequestKind & { count: number }} RequestCount */

/**
 * @typedef {object} ApiServer
 * @property {string} name for people
 * @property {string} kubeconfig
 * @property {import("@kindling/kube").ClusterAccess} access
 * @property {KubeClient} client
 * @property {() => Promise<number>} requests how many requests of drivers there were so far, without those of hollow kubelets
 * @property {() => Promise<void>} stop
 */

/** The resources that drivers use. Other requests are not counted. */
const COUNTED = new Set(["pods", "persistentvolumeclaims", "configmaps", "services", "tokenreviews"]);

/** @typedef {{ embedded?: boolean, nodes?: import("@kindling/devcluster").DevClusterOptions["nodes"] }} Options `embedded` always uses an embedded cluster; `nodes` are its nodes */

/**
 * Runs something with an API server, and a folder that is deleted afterwards.
 *
 * @template T
 * @param {(server: ApiServer, folder: string) => Promise<T>} run
 * @param {Options} [options]
 */
export async function withApiServer(run, options = {}) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const server = await apiServer(folder, options);
  try {
    return await run(server, folder);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} folder for a kubeconfig
 * @param {Options} options
 * @returns {Promise<ApiServer>}
 */
async function apiServer(folder, { embedded: isEmbedded = false, nodes = 1 }) {
  const { KUBECONFIG } = process.env;
  const isOwn = isEmbedded || KUBECONFIG === undefined;
  const kubeconfig = isOwn ? join(folder, "kubeconfig") : KUBECONFIG;
  const embedded = isOwn ? startEmbedded(kubeconfig, { tls: true, authorization: "rbac", nodes }) : undefined;
  await embedded?.call("ready");
  const access = await loadClusterAccess({ kubeconfigPath: kubeconfig });
  const client = createKubeClient(access);
  const counted = async () => (embedded === undefined ? await requestCounts(client) : await embedded.call("counts"));
  return {
    name: embedded === undefined ? "a real API server" : "the embedded cluster",
    kubeconfig,
    access,
    client,
    async requests() {
      return (await counted())
        .filter(({ resource, subresource }) => COUNTED.has(resource) && subresource === "")
        .reduce((sum, { count }) => sum + count, 0);
    },
    async stop() {
      client.close();
      await embedded?.stop();
    },
  };
}

/**
 * @param {string} kubeconfig the file to write
 * @param {import("@kindling/devcluster").DevClusterOptions} options
 * @returns {import("./calls.mjs").Callable<import("./embedded.mjs").Embedded>}
 */
function startEmbedded(kubeconfig, options) {
  return start(new URL("embedded.mjs", import.meta.url), [kubeconfig, JSON.stringify(options)]);
}

/**
 * Runs something in a namespace that has an account for drivers. The namespace is deleted afterwards, with everything in it.
 *
 * @template T
 * @param {{ client: KubeClient }} server
 * @param {string} name
 * @param {(namespace: string) => Promise<T>} run
 */
export async function inNamespace({ client }, name, run) {
  await client.create(resources.namespaces, { metadata: { name } });
  try {
    await client.create(resources.serviceaccounts, { metadata: { name: "spark" } }, { namespace: name });
    return await run(name);
  } finally {
    await client.request({ method: "DELETE", path: `/api/v1/namespaces/${name}` });
    while (await isThere(client, name)) await sleep(500);
  }
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 */
async function isThere(client, namespace) {
  try {
    await client.get(resources.namespaces, namespace);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/**
 * How often each verb was used on each resource so far, as a real API server counts it.
 *
 * @param {KubeClient} client
 */
export async function requestCounts(client) {
  return parsed(await metrics(client));
}

/**
 * The metrics as text. The client of the cluster reads only JSON, so this does not use it.
 *
 * @param {KubeClient} client
 * @returns {Promise<string>}
 */
async function metrics({ access: { server, tls, credentials } }) {
  const { authorization, clientCertificate } = await credentials.current();
  const headers = authorization === undefined ? {} : { authorization };
  return await new Promise((resolve, reject) => {
    https
      .get(`${server}/metrics`, { ca: tls.ca, headers, ...clientCertificate }, (response) => resolve(text(response)))
      .on("error", reject);
  });
}

/**
 * @param {string} text of the API server's metrics
 * @returns {RequestCount[]}
 */
function parsed(text) {
  return [...text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)].map(([, labels = "", count]) => {
    const {
      verb = "",
      resource = "",
      subresource = "",
    } = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    return { verb, resource, subresource, count: Number(count) };
  });
}
