// @ts-check
// `kindling logs` of an application whose pods are gone, as users call it: through the installation's ConfigMap, a token of the
// namespace's account, and the API server's proxy.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { testAuthority } from "@kindling/test-kit/certificates";
import { byTurns } from "../harness/by-turns.mjs";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { quantile } from "../harness/figures.mjs";
import { atMost } from "../harness/judge.mjs";
import { sleep } from "../harness/wait.mjs";
import { KINDLING } from "../submission.mjs";
import { recorderProcess } from "./recorder-process.mjs";
import { create, driverOf } from "./spark-pods.mjs";
import { speakingCluster } from "./speaking-cluster.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

const TIMES = 20;
const NAMESPACE = "spark-jobs";
const PLACE = "kindling";
const SERVICE = "kindling-recorder";
const PORT = 8080;
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

/** @returns {Promise<import("../harness/judge.mjs").Row[]>} */
export async function logRows() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-logs-"));
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = await speakingCluster(kubeconfig, "tls");
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
  const recorder = await recorderProcess(kubeconfig, folder, secure(folder));
  try {
    await install(client, Number(new URL(recorder.uri).port));
    await ended(client, cluster, join(folder, "archive"));
    const env = { ...ENVIRONMENT, KUBECONFIG: kubeconfig, XDG_CACHE_HOME: join(folder, "cache") };
    const command = [KINDLING, "logs", "daily", "-n", NAMESPACE];
    await firstLine(command, env);
    const samples = await byTurns(TIMES, {
      logs: () => firstLine(command, env),
      version: () => firstLine([KINDLING, "--version"], env),
    });
    const lines = samples.logs.map(({ first }) => first);
    const whole = samples.logs.map(({ all }) => all);
    const starts = samples.version.map(({ first }) => first);
    return [
      atMost(
        `first line of \`kindling logs\` of an ended application, median of ${TIMES}`,
        quantile(lines, 0.5),
        "ms",
        150,
      ),
      { what: "the same, 95th percentile", found: `${quantile(lines, 0.95).toFixed(0)} ms` },
      { what: "to the end of the command", found: `${quantile(whole, 0.5).toFixed(0)} ms` },
      { what: "`kindling --version` in between", found: `${quantile(starts, 0.5).toFixed(0)} ms` },
    ];
  } finally {
    client.close();
    await recorder.stop();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  }
}

/**
 * The settings of a recorder that asks for tokens.
 *
 * @param {string} folder for its certificate
 */
function secure(folder) {
  const { cert, key } = testAuthority("the recorder's authority").issue("recorder");
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  return ["--auth-mode", "kubernetes", "--tls-cert-file", certFile, "--tls-key-file", keyFile];
}

/**
 * What the chart makes, as far as readers need it.
 *
 * @param {KubeClient} client
 * @param {number} port of the recorder on this machine
 */
async function install(client, port) {
  for (const name of [NAMESPACE, PLACE]) await client.create(resources.namespaces, { metadata: { name } });
  await post(client, `/api/v1/namespaces/${PLACE}/configmaps`, {
    metadata: { name: "kindling", labels: { "app.kubernetes.io/part-of": "kindling" } },
    data: { "kindling.properties": `spark.kindling.recorder.uri=k8s+https://${PLACE}/${SERVICE}:${PORT}\n` },
  });
  await post(client, `/api/v1/namespaces/${PLACE}/services`, {
    metadata: { name: SERVICE },
    spec: { ports: [{ name: "https", port: PORT, protocol: "TCP" }] },
  });
  await post(client, `/apis/discovery.k8s.io/v1/namespaces/${PLACE}/endpointslices`, {
    metadata: { name: SERVICE, labels: { "kubernetes.io/service-name": SERVICE } },
    addressType: "IPv4",
    endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  });
  const account = { kind: "ServiceAccount", name: "kindling-reader", namespace: NAMESPACE };
  await client.create(resources.serviceaccounts, { metadata: { name: account.name } }, { namespace: NAMESPACE });
  await post(client, `${RBAC}/namespaces/${NAMESPACE}/roles`, {
    metadata: { name: "readers" },
    rules: [{ apiGroups: [""], resources: ["pods/log"], verbs: ["get"] }],
  });
  await post(client, `${RBAC}/namespaces/${NAMESPACE}/rolebindings`, {
    metadata: { name: "readers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "readers" },
    subjects: [account],
  });
}

/**
 * @param {KubeClient} client
 * @param {string} path
 * @param {object} body
 */
async function post(client, path, body) {
  await client.request({ method: "POST", path, body });
}

/**
 * Runs an application to its end. When it is kept, its pod goes.
 *
 * @param {KubeClient} client
 * @param {import("./speaking-cluster.mjs").SpeakingCluster} cluster
 * @param {string} archive
 */
async function ended(client, cluster, archive) {
  await create(client, NAMESPACE, [driverOf("daily")]);
  while ((await cluster.call("running")) === 0) await sleep(50);
  for (let line = 0; line < 200; line++) await cluster.call("say", `line ${line} of the driver's log`, 1, 0);
  await cluster.call("end", "driver", "executor");
  while (!isKept(archive)) await sleep(100);
  await client.delete(resources.pods, "daily-driver", { namespace: NAMESPACE, gracePeriodSeconds: 0 });
}

/** @param {string} archive */
function isKept(archive) {
  return existsSync(join(archive, "v1", "index", NAMESPACE));
}

/**
 * Milliseconds until a command writes its first line, and until it ends.
 *
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} env
 */
async function firstLine(command, env) {
  const began = performance.now();
  const child = spawn(process.execPath, command, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ending = once(child, "close");
  await once(child.stdout, "data");
  const first = performance.now() - began;
  child.stdout.resume();
  const [code] = await ending;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
  return { first, all: performance.now() - began };
}
