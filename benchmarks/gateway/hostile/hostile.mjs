// @ts-check
// Hostile drivers: each runs all attacks at the same time.
import https from "node:https";
import { setPriority } from "node:os";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { serve } from "../../harness/calls.mjs";
import { sleep } from "../../harness/wait.mjs";
import { driverPod, identityOf } from "../driver-pods.mjs";
import { driverToken } from "../driver-token.mjs";
import { ATTACKS } from "./attacks.mjs";
import { forgery, occupy } from "./connections.mjs";

const [kubeconfig = "", namespace = "", only = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const LABELS = { "scheduler.kindling/gateway": "true", "scheduler.kindling/queue": "hostile" };
/** @type {Record<string, number>} */
const answers = {};
let sent = 0;

/**
 * Starts this many hostile drivers against the honest ones.
 *
 * @param {number} count
 * @param {string} uri
 * @param {string} ca
 */
async function begin(count, uri, ca) {
  for (let index = 0; index < count; index++) {
    const pod = await driverPod(client, namespace, `hostile-${index}`, LABELS);
    const found = identityOf(await client.get(resources.pods, `honest-${index}`, { namespace }));
    const victim = { name: found.name, uid: found.uid, app: `spark-${found.name}` };
    const token = await driverToken(client, pod);
    const driver = hostileDriver(pod, { token, uri, ca });
    for (const attack of ATTACKS) if (attack.name.includes(only)) void again(driver, victim, attack);
    const forged = forgery(await driverToken(client, found));
    if (only === "") occupy({ uri, ca, namespace, token, forged }, 1);
  }
}

/**
 * Repeats an attack: when a request is answered and a pause is over, the next one is sent.
 *
 * @param {import("./attacks.mjs").HostileDriver} driver
 * @param {import("./attacks.mjs").Victim} victim
 * @param {import("./attacks.mjs").Attack} attack
 */
async function again(driver, victim, { act, everyMs }) {
  for (;;) {
    await sleep(everyMs * (0.5 + Math.random()));
    const status = await act(driver, victim).catch((/** @type {NodeJS.ErrnoException} */ { code }) => code ?? "failed");
    answers[status] = (answers[status] ?? 0) + 1;
    sent++;
  }
}

/**
 * @param {import("../driver-pods.mjs").DriverPod} pod
 * @param {{ token: string, uri: string, ca: string }} gateway
 * @returns {import("./attacks.mjs").HostileDriver}
 */
function hostileDriver({ name, uid }, { token, uri, ca }) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8, ca });
  let last = 0;
  /** @type {import("./attacks.mjs").HostileDriver["send"]} */
  const send = async (method, rest, body, type = "application/json") => {
    const isSet = /^(?:statefulsets|deployments)/.test(rest);
    const url = new URL(`/${isSet ? "apis/apps/v1" : "api/v1"}/namespaces/${namespace}/${rest}`, uri);
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": type, "Content-Length": Buffer.byteLength(body) }),
    };
    return await new Promise((resolve, reject) => {
      const request = https.request(url, { method, headers, agent, timeout: 60_000 }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode ?? 0)).on("error", reject);
      });
      request.on("error", reject).on("timeout", () => request.destroy(new Error("no answer")));
      request.end(body);
    });
  };
  return {
    ...{ name, uid, app: `spark-${name}`, next: () => ++last, send },
    post: (resource, object) => send("POST", resource, JSON.stringify(object)),
  };
}

// In real life they have their own computers. Here they only use the processor time that gateway, API server and honest drivers
// leave.
setPriority(10);
const functions = { begin, answers: () => ({ sent, answers }) };
/** @typedef {typeof functions} Hostile */
serve(functions);
process.on("SIGTERM", () => process.exit(0));
