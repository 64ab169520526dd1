// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inNamespace } from "../../harness/api-server.mjs";
import { amount } from "../../harness/environment.mjs";
import { gatewayProcess } from "../gateway-process.mjs";
import { applications, installApplication } from "./applications.mjs";
import { faultyProxy } from "./faulty-proxy.mjs";
import { makeMischief } from "./mischief.mjs";

const MINUTES = amount("KINDLING_BENCH_MINUTES", 30);
const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const HOST = process.env["KINDLING_E2E_STAGING_HOST"] ?? "127.0.0.1";

/**
 * Real applications, one after the other, while everything that they use breaks again and again.
 *
 * @param {import("../../harness/api-server.mjs").ApiServer} server
 * @param {string} folder
 * @param {import("./applications.mjs").Variant} variant
 * @returns {Promise<import("../../harness/judge.mjs").Row[]>}
 */
export async function runChaos(server, folder, variant) {
  const { hostname, port } = new URL(server.access.server);
  const proxy = await faultyProxy({ host: hostname, port: Number(port) });
  try {
    return await inNamespace(server, `kindling-benchmark-chaos-${process.pid}`, (namespace) =>
      inThisNamespace(server, proxy, { folder, namespace, ...variant }),
    );
  } finally {
    proxy.close();
  }
}

/**
 * @param {import("../../harness/api-server.mjs").ApiServer} server
 * @param {import("./faulty-proxy.mjs").FaultyProxy} proxy
 * @param {import("./applications.mjs").Variant & { folder: string, namespace: string }} place
 */
async function inThisNamespace({ access, client }, proxy, { folder, namespace, ...variant }) {
  const kubeconfig = join(folder, "behind-proxy");
  writeFileSync(kubeconfig, await kubeconfigFor(access, `https://localhost:${proxy.port}`));
  const gateway = await gatewayProcess({ kubeconfig, namespace, host: HOST });
  const mischief = makeMischief({ gateway, proxy, client, namespace });
  /** @type {string[]} */
  const faults = [];
  let runs = 0;
  try {
    const gatewayUri = `https://${HOST}:${new URL(gateway.uri).port}`;
    await installApplication(client, namespace);
    const options = { namespace, folder, gatewayUri, caFile: gateway.caFile, ...variant };
    const ways = VERSIONS.map((version) => ({ version, run: applications(client, { ...options, version }) }));
    const end = performance.now() + MINUTES * 60_000;
    for (; performance.now() < end; runs++) {
      const way = ways[runs % ways.length];
      for (const fault of (await way?.run(runs)) ?? []) {
        process.stderr.write(`Spark ${way?.version}: ${fault}\n`);
        faults.push(fault);
      }
    }
  } finally {
    await mischief.stop();
    await gateway.stop();
  }
  return rows(runs, faults, mischief.done);
}

/**
 * The same access with another address. The server's certificate has this address too.
 *
 * @param {import("@kindling/kube").ClusterAccess} access
 * @param {string} server
 */
async function kubeconfigFor({ tls, credentials }, server) {
  const { authorization, clientCertificate } = await credentials.current();
  /** @param {string | undefined} text */
  const base64 = (text = "") => Buffer.from(text).toString("base64");
  const user =
    clientCertificate === undefined
      ? { token: authorization?.replace(/^Bearer /, "") }
      : {
          "client-certificate-data": base64(clientCertificate.cert),
          "client-key-data": base64(clientCertificate.key),
        };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "proxy",
    contexts: [{ name: "proxy", context: { cluster: "proxy", user: "proxy" } }],
    clusters: [{ name: "proxy", cluster: { server, "certificate-authority-data": base64(tls.ca) } }],
    users: [{ name: "proxy", user }],
  });
}

/**
 * @param {number} runs
 * @param {readonly string[]} faults
 * @param {{ kills: number, faults: number, deaths: number }} done how often each of them was done
 * @returns {import("../../harness/judge.mjs").Row[]}
 */
function rows(runs, faults, { kills, faults: broken, deaths }) {
  const wrong = faults.filter((fault) => fault.startsWith("application")).length;
  const leftBehind = faults.length - wrong;
  return [
    {
      what: `applications with right results in ${MINUTES} minutes (Spark ${VERSIONS.join(" and ")})`,
      found: `${runs - wrong} of ${runs}`,
      wanted: "all",
      holds: runs > 0 && wrong === 0,
    },
    { what: "times that something was left behind", found: String(leftBehind), wanted: "0", holds: leftBehind === 0 },
    { what: "kills of the gateway", found: String(kills), wanted: "one a minute", holds: kills >= MINUTES - 1 },
    { what: "breaks between the gateway and the API server", found: String(broken) },
    { what: "executors killed from outside, beside one that each application kills", found: String(deaths) },
  ];
}
