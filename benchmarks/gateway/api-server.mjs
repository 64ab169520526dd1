// The API server that a benchmark runs against: that of KUBECONFIG, or an embedded cluster in a process of its own.
import https from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createKubeClient, isNotFound, loadClusterAccess, resources } from "@kindling/kube";
import { start } from "./calls.mjs";

const NAMESPACES = { ...resources.configmaps, kind: "Namespace", plural: "namespaces", namespaced: false };

/** What drivers ask for: of other requests no account is taken. */
const COUNTED = new Set(["pods", "persistentvolumeclaims", "configmaps", "services", "tokenreviews"]);

/**
 * @param folder for a kubeconfig
 * @param options.embedded takes an embedded cluster in any case
 * @param options.nodes of an embedded cluster
 */
export async function apiServer(folder, { embedded: isEmbedded = false, nodes = 1 } = {}) {
  const { KUBECONFIG } = process.env;
  const own = isEmbedded || KUBECONFIG === undefined ? join(folder, "kubeconfig") : undefined;
  const embedded =
    own === undefined
      ? undefined
      : start(new URL("embedded.mjs", import.meta.url), [
          own,
          JSON.stringify({ tls: true, authorization: "rbac", nodes }),
        ]);
  await embedded?.call("ready");
  const kubeconfig = own ?? KUBECONFIG;
  const access = await loadClusterAccess({ kubeconfigPath: kubeconfig });
  const client = createKubeClient(access);
  const counted = async () => (embedded === undefined ? await requestCounts(client) : await embedded.call("counts"));
  return {
    name: embedded === undefined ? "a real API server" : "the embedded cluster",
    kubeconfig,
    access,
    client,
    /** Requests for what drivers ask for so far, hollow kubelets' not among them. */
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

/** Runs something in a namespace with an account for drivers, which is gone with all that is in it afterwards. */
export async function inNamespace({ client }, name, run) {
  await client.create(NAMESPACES, { metadata: { name } });
  try {
    await client.create(resources.serviceaccounts, { metadata: { name: "spark" } }, { namespace: name });
    return await run(name);
  } finally {
    await client.request({ method: "DELETE", path: `/api/v1/namespaces/${name}` });
    while (await isThere(client, name)) await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function isThere(client, namespace) {
  try {
    await client.get(NAMESPACES, namespace);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** How often each verb was used on each resource so far, as a real API server has counted. */
export async function requestCounts(client) {
  return parsed(await metrics(client));
}

/** The client of the cluster reads JSON alone. */
async function metrics({ access: { server, tls, credentials } }) {
  const { authorization, clientCertificate } = await credentials.current();
  const headers = authorization === undefined ? {} : { authorization };
  return await new Promise((resolve, reject) => {
    https
      .get(`${server}/metrics`, { ca: tls.ca, headers, ...clientCertificate }, (response) => resolve(text(response)))
      .on("error", reject);
  });
}

function parsed(text) {
  return [...text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)].map(([, labels, count]) => {
    const {
      verb,
      resource = "",
      subresource = "",
    } = Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
    return { verb, resource, subresource, count: Number(count) };
  });
}
