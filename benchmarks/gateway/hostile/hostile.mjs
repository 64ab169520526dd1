// Drivers that mean harm: each does all that it can think of at once.
import https from "node:https";
import { setPriority } from "node:os";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { serve } from "../calls.mjs";
import { driverPod } from "../driver-pods.mjs";
import { driverToken } from "../driver-token.mjs";
import { ATTACKS } from "./attacks.mjs";
import { forgery, occupy } from "./connections.mjs";

const [kubeconfig, namespace, only = ""] = process.argv.slice(2);
const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
const LABELS = { "scheduler.kindling/gateway": "true", "scheduler.kindling/queue": "hostile" };
const answers = {};
let sent = 0;

/** Lets so many hostile drivers begin against the honest ones. */
async function begin(count, uri, ca) {
  for (let index = 0; index < count; index++) {
    const name = `hostile-${index}`;
    const pod = await driverPod(client, namespace, name, LABELS);
    const victimName = `honest-${index}`;
    const found = await client.request({ method: "GET", path: `/api/v1/namespaces/${namespace}/pods/${victimName}` });
    const victim = { name: victimName, uid: found.metadata.uid, app: `spark-${victimName}` };
    const driver = hostileDriver({ name, uid: pod.metadata.uid, token: await driverToken(client, pod), uri, ca });
    for (const attack of ATTACKS) if (attack.name.includes(only)) void again(driver, victim, attack);
    const forged = forgery(await driverToken(client, found));
    if (only === "") occupy({ uri, ca, namespace, token: driver.token, forged }, 1);
  }
}

/** As soon as one is answered, and a pause is over, the next one comes. */
async function again(driver, victim, { act, everyMs }) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, everyMs * (0.5 + Math.random())));
    const status = await act(driver, victim).catch((error) => error.code ?? "failed");
    answers[status] = (answers[status] ?? 0) + 1;
    sent++;
  }
}

function hostileDriver({ name, uid, token, uri, ca }) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8, ca });
  let last = 0;
  const driver = { name, uid, token, app: `spark-${name}`, next: () => ++last };
  driver.send = async (method, rest, body, type = "application/json") => {
    const isSet = /^(?:statefulsets|deployments)/.test(rest);
    const url = new URL(`/${isSet ? "apis/apps/v1" : "api/v1"}/namespaces/${namespace}/${rest}`, uri);
    const headers = {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { "Content-Type": type, "Content-Length": Buffer.byteLength(body) }),
    };
    return await new Promise((resolve, reject) => {
      const request = https.request(url, { method, headers, agent, timeout: 60_000 }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode)).on("error", reject);
      });
      request.on("error", reject).on("timeout", () => request.destroy(new Error("no answer")));
      request.end(body);
    });
  };
  driver.post = (resource, object) => driver.send("POST", resource, JSON.stringify(object));
  return driver;
}

// Elsewhere they have machines of their own: here they have what gateway, API server and honest drivers leave of this one.
setPriority(10);
serve({ begin, answers: () => ({ sent, answers }) });
process.on("SIGTERM", () => process.exit(0));
