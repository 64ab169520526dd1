// @ts-check
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { cpuSeconds, peakMemory } from "@kindling/test-kit/process-usage";
import { byTurns } from "./harness/by-turns.mjs";
import { ENVIRONMENT } from "./harness/environment.mjs";
import { mebibytes, median, seconds } from "./harness/figures.mjs";
import { startTelling } from "./harness/processes.mjs";
import { table } from "./harness/table.mjs";
import { sleep } from "./harness/wait.mjs";

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL("devcluster/server.mjs", import.meta.url));
const CREATOR = fileURLToPath(new URL("devcluster/creator.mjs", import.meta.url));
const WATCHERS = fileURLToPath(new URL("devcluster/watchers.mjs", import.meta.url));

const STARTS = 11;
const CREATES = { rounds: 5, count: 400 };
const PODS = 10_000;
const WATCHER_COUNT = 50;

/** The embedded cluster: its start, how fast it creates pods compared with a real API server, and its memory with many pods. */
export async function devcluster() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  try {
    return table([
      ["measured", "embedded cluster", "real API server", "ratio", "wanted"],
      ...(await starts(folder)),
      ...(await creates(folder)),
      ...(await manyPods(folder)),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder for a kubeconfig */
async function starts(folder) {
  const { server } = await byTurns(STARTS, {
    async server() {
      const { started, stop } = await startCluster(folder, { tls: true, authorization: "rbac" });
      await stop();
      return started;
    },
  });
  const [wall, cpu] = [server.map((one) => one.milliseconds), server.map((one) => one.cpuMilliseconds)];
  return [
    ["start of the process to first answer", seconds(median(wall) / 1000), "", "", "at most 1 s"],
    ["processor time of that", seconds(median(cpu) / 1000), "", "", ""],
  ];
}

/**
 * A server where pods are created.
 *
 * @typedef {object} Site
 * @property {string} kubeconfig
 * @property {import("@kindling/kube").KubeClient} client
 * @property {readonly number[]} pids its processes
 */

/**
 * Uses the same client, TLS and authorisation on both sides, by turns.
 *
 * @param {string} folder for a kubeconfig
 */
async function creates(folder) {
  const real = process.env["KUBECONFIG"] ?? "";
  const server = await startCluster(folder, { tls: true, authorization: "rbac" });
  const namespace = `benchmark-${process.pid}`;
  const embedded = await siteOf(server.kubeconfig, [server.pid], namespace);
  const other = real === "" ? undefined : await siteOf(real, realServers(), namespace);
  try {
    const ours = () => createdAt(embedded, namespace);
    const theirs = other === undefined ? undefined : () => createdAt(other, namespace);
    const samples = await byTurns(CREATES.rounds, { ours, theirs });
    return createRows(samples.ours, samples.theirs);
  } finally {
    for (const { client } of [embedded, ...(other === undefined ? [] : [other])]) {
      await client.delete(resources.namespaces, namespace);
      client.close();
    }
    await server.stop();
  }
}

/**
 * @typedef {{ rate: number, cost: number }} Created pods in a second, and seconds of the server's processor time for one pod
 */

/**
 * @param {readonly Created[]} ours
 * @param {readonly Created[]} theirs empty if there is no real API server
 */
function createRows(ours, theirs) {
  /**
   * @param {string} what
   * @param {"rate" | "cost"} key
   * @param {(value: number) => string} unit
   * @param {string} wanted
   */
  const row = (what, key, unit, wanted) => {
    const [own, other] = [ours, theirs].map((all) => median(all.map((one) => one[key])));
    if (own === undefined || other === undefined || !(other > 0))
      return [what, unit(own ?? 0), "not measured", "", wanted];
    return [what, unit(own), unit(other), `${(own / other).toFixed(1)}×`, wanted];
  };
  return [
    row("pods created in a second, 16 at a time", "rate", (value) => value.toFixed(0), "at least 1×"),
    row("processor time of the server (and of etcd) for one", "cost", (value) => `${(value * 1000).toFixed(2)} ms`, ""),
  ];
}

/**
 * @param {string} kubeconfig
 * @param {readonly number[]} pids
 * @param {string} namespace that is made there
 * @returns {Promise<Site>}
 */
async function siteOf(kubeconfig, pids, namespace) {
  const client = createKubeClient(await loadClusterAccess({ env: { KUBECONFIG: kubeconfig } }));
  await client.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await accountOf(client, namespace);
  return { kubeconfig, client, pids };
}

let rounds = 0;

/**
 * @param {Site} site
 * @param {string} namespace
 * @returns {Promise<Created>}
 */
async function createdAt({ kubeconfig, pids }, namespace) {
  const before = cpuOf(pids);
  const rate = await createPods(kubeconfig, namespace, `round-${rounds++}`, CREATES.count, "gated");
  return { rate, cost: (cpuOf(pids) - before) / CREATES.count };
}

/** @param {string} folder for a kubeconfig */
async function manyPods(folder) {
  const server = await startCluster(folder, { nodes: 10 });
  const [, url = ""] = /server: (\S+)/.exec(readFileSync(server.kubeconfig, "utf8")) ?? [];
  const watchers = startTelling(WATCHERS, [url, String(WATCHER_COUNT), String(PODS)]);
  try {
    await watchers.line();
    const started = performance.now();
    const [restarts] = await Promise.all([watchers.line(), createPods(server.kubeconfig, "default", "pod", PODS, "")]);
    const wall = (performance.now() - started) / 1000;
    const listStart = performance.now();
    const response = await fetch(`${url}/api/v1/pods`);
    const { items } = /** @type {{ items: readonly object[] }} */ (await response.json());
    const listed = (performance.now() - listStart) / 1000;
    if (items.length !== PODS) throw new Error(`listed ${items.length} pods instead of ${PODS}`);
    const many = `${PODS.toLocaleString("en")} hollow pods`;
    const peak = mebibytes(peakMemory(server.pid));
    return [
      [`${many} running, seen by ${WATCHER_COUNT} watchers (${restarts} began anew)`, seconds(wall), "", "", ""],
      [`list of ${many}`, seconds(listed), "", "", ""],
      [`peak memory with ${many} and ${WATCHER_COUNT} watchers`, peak, "", "", "at most 600 MiB"],
    ];
  } finally {
    await watchers.stop();
    await server.stop();
  }
}

/**
 * @param {string} kubeconfig
 * @param {string} namespace
 * @param {string} prefix of the pods' names
 * @param {number} count
 * @param {"gated" | ""} gated
 * @returns {Promise<number>} how many in a second
 */
async function createPods(kubeconfig, namespace, prefix, count, gated) {
  const args = [CREATOR, kubeconfig, namespace, prefix, String(count), gated];
  const { stdout } = await run(process.execPath, args, { env: ENVIRONMENT });
  return Number(stdout);
}

/** The processes of a real API server on the same computer. */
function realServers() {
  const pids = readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return ["kube-apiserver", "etcd"].includes(basename(program));
    } catch {
      // The process has ended in the meantime.
      return false;
    }
  });
  return pids.map(Number);
}

/** @param {readonly number[]} pids */
function cpuOf(pids) {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

/**
 * Waits for the account of a namespace, because pods are refused until it exists.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
async function accountOf(client, namespace) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { items } = await client.listAll(resources.serviceaccounts, { namespace });
    if (items.length > 0) return;
    await sleep(50);
  }
  throw new Error(`namespace ${namespace} has no service account`);
}

/**
 * @param {string} folder for its kubeconfig
 * @param {import("@kindling/devcluster").DevClusterOptions} options
 */
async function startCluster(folder, options) {
  const kubeconfig = join(folder, "kubeconfig");
  const server = startTelling(SERVER, [kubeconfig, JSON.stringify(options)]);
  /** @type {import("./devcluster/server.mjs").Start} */
  const started = JSON.parse(await server.line());
  return { kubeconfig, started, pid: server.pid, stop: server.stop };
}
