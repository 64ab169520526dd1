import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { cpuSeconds } from "./staging/processes.mjs";
import { median, mebibytes, seconds, table } from "./measure.mjs";

const run = promisify(execFile);
const SERVER = fileURLToPath(new URL("devcluster/server.mjs", import.meta.url));
const CREATOR = fileURLToPath(new URL("devcluster/creator.mjs", import.meta.url));
const WATCHERS = fileURLToPath(new URL("devcluster/watchers.mjs", import.meta.url));
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

const STARTS = 11;
const CREATES = { rounds: 5, count: 400 };
const PODS = 10_000;
const WATCHER_COUNT = 50;

/** The embedded cluster: its start, its creates beside a real API server's, and its memory with many pods. */
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

async function starts(folder) {
  const [walls, cpus] = [[], []];
  for (let round = 0; round < STARTS; round++) {
    const server = await startServer(folder, { tls: true, authorization: "rbac" });
    walls.push(server.started.milliseconds / 1000);
    cpus.push(server.started.cpuMilliseconds / 1000);
    await server.stop();
  }
  return [
    ["start of the process to first answer", seconds(median(walls)), "", "", "at most 1 s"],
    ["processor time of that", seconds(median(cpus)), "", "", ""],
  ];
}

/** The same client, TLS and authorisation on both sides, by turns. */
async function creates(folder) {
  const real = process.env.KUBECONFIG ?? "";
  const server = await startServer(folder, { tls: true, authorization: "rbac" });
  const namespace = `benchmark-${process.pid}`;
  const sites = [server.kubeconfig, ...(real === "" ? [] : [real])];
  const clients = [];
  try {
    for (const kubeconfig of sites) {
      const client = createKubeClient(await loadClusterAccess({ env: { KUBECONFIG: kubeconfig } }));
      clients.push(client);
      await client.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await accountOf(client, namespace);
    }
    const servers = [[server.pid], realServers()];
    const rates = sites.map(() => []);
    const costs = sites.map(() => []);
    for (let round = 0; round < CREATES.rounds; round++) {
      for (const [index, kubeconfig] of sites.entries()) {
        const before = cpuOf(servers[index]);
        rates[index].push(await createPods(kubeconfig, namespace, `round-${round}`, CREATES.count, "gated"));
        costs[index].push((cpuOf(servers[index]) - before) / CREATES.count);
      }
    }
    const [rate, realRate] = rates.map(median);
    const [cost, realCost] = costs.map(median);
    const row = (what, ours, theirs, ratio, unit, wanted) =>
      theirs === undefined || theirs === 0
        ? [what, unit(ours), "not measured", "", wanted]
        : [what, unit(ours), unit(theirs), `${ratio.toFixed(1)}×`, wanted];
    return [
      row(
        "pods created in a second, 16 at a time",
        rate,
        realRate,
        rate / realRate,
        (n) => n.toFixed(0),
        "at least 1×",
      ),
      row(
        "processor time of the server (and of etcd) for one",
        cost,
        realCost,
        cost / realCost,
        (n) => `${(n * 1000).toFixed(2)} ms`,
        "",
      ),
    ];
  } finally {
    for (const client of clients) {
      await client.delete(resources.namespaces, namespace);
      client.close();
    }
    await server.stop();
  }
}

async function manyPods(folder) {
  const server = await startServer(folder, { nodes: 10 });
  const url = /server: (\S+)/.exec(readFileSync(server.kubeconfig, "utf8"))[1];
  const watchers = spawn(process.execPath, [WATCHERS, url, String(WATCHER_COUNT), String(PODS)], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(watchers.stdout, "data");
    const started = performance.now();
    const [[restarts]] = await Promise.all([
      once(watchers.stdout, "data"),
      createPods(server.kubeconfig, "default", "pod", PODS, ""),
    ]);
    const wall = (performance.now() - started) / 1000;
    const listStart = performance.now();
    const response = await fetch(`${url}/api/v1/pods`);
    const { items } = await response.json();
    const listed = (performance.now() - listStart) / 1000;
    if (items.length !== PODS) throw new Error(`listed ${items.length} pods instead of ${PODS}`);
    const many = `${PODS.toLocaleString("en")} hollow pods`;
    return [
      [
        `${many} running, seen by ${WATCHER_COUNT} watchers (${Number(restarts)} began anew)`,
        seconds(wall),
        "",
        "",
        "",
      ],
      [`list of ${many}`, seconds(listed), "", "", ""],
      [
        `peak memory with ${many} and ${WATCHER_COUNT} watchers`,
        mebibytes(server.peakMemory()),
        "",
        "",
        "at most 600 MiB",
      ],
    ];
  } finally {
    watchers.kill();
    await server.stop();
  }
}

async function createPods(kubeconfig, namespace, prefix, count, gated) {
  const args = [CREATOR, kubeconfig, namespace, prefix, String(count), gated];
  const { stdout } = await run(process.execPath, args, { env: ENVIRONMENT });
  return Number(stdout);
}

/** The processes of a real API server on this machine. */
function realServers() {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [program = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return ["kube-apiserver", "etcd"].includes(basename(program));
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

function cpuOf(pids) {
  return pids.reduce((sum, pid) => sum + cpuSeconds(Number(pid)), 0);
}

/** Pods are refused until their namespace has its account. */
async function accountOf(client, namespace) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const { items } = await client.listAll(resources.serviceaccounts, { namespace });
    if (items.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`namespace ${namespace} has no service account`);
}

async function startServer(folder, options) {
  const kubeconfig = join(folder, "kubeconfig");
  const child = spawn(process.execPath, [SERVER, kubeconfig, JSON.stringify(options)], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return {
    kubeconfig,
    pid: child.pid,
    started: JSON.parse(line),
    /** Peak resident memory in MiB. */
    peakMemory: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}
