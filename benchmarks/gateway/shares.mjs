// @ts-check
// Ten applications that together want five times the capacity of the cluster: with Spark's own way of scheduling, and through a
// gateway.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inNamespace, withApiServer } from "../harness/api-server.mjs";
import { amount } from "../harness/environment.mjs";
import { untilDone } from "../harness/until-done.mjs";
import { giveDriversRights } from "./driver-rights.mjs";
import { gatewayProcess } from "./gateway-process.mjs";
import { followUse } from "./shares/follow-use.mjs";
import { plotShares } from "./shares/plot-shares.mjs";
import { runApplication, submit } from "./shares/run-application.mjs";

const NODES = Array.from({ length: 10 }, () => ({ cpu: "10", memory: "64Gi", pods: "110" }));
const CPUS = 100;
/** Processors of an application: one for each of its executors, and one for its driver. */
const EACH = 50;
/** An application does nothing before it has this many executors, like an application with barrier stages. */
const MINIMUM = 11;
/** Seconds that one executor would need for all of an application's work. */
const WORK = amount("KINDLING_BENCH_WORK", 600);
// Drivers start with their whole minimum or not at all. With these weights, whole minimums come near the queues' shares.
const QUEUES = [
  { name: "etl", weight: 4, applications: 5 },
  { name: "reports", weight: 3, applications: 3 },
  { name: "adhoc", weight: 1, applications: 2 },
];
/** An application without progress for this long counts as deadlocked. */
const STUCK_MS = 30_000;
const MOST_OFF = 0.1;

/** @typedef {import("../harness/api-server.mjs").ApiServer} ApiServer */
/**
 * @typedef {import("./shares/plot-shares.mjs").Sample & { wanted: Readonly<Record<string, number>> }} Sample with the share
 * that each queue wants
 */
/** @typedef {{ samples: readonly Sample[], finished: number, of: number }} Outcome how many of the applications have ended */
/** @typedef {{ uri: string, ca: string, stop: () => Promise<void> }} Place where drivers request executors */

/** @param {string} plot where the plot is written, as SVG */
export async function shares(plot) {
  // The benchmark needs nodes of these sizes, so it does not use another cluster.
  return await withApiServer(
    async (server, folder) => {
      const alone = await inNamespace(server, "native", (namespace) => natively(server, namespace));
      const ours = await inNamespace(server, "gateway", (namespace) => throughGateway(server, folder, namespace));
      const panels = [
        { title: "Spark's own scheduling", ...alone },
        { title: "through the gateway", ...ours },
      ];
      writeFileSync(plot, plotShares(panels, targets()));
      return rows(alone, ours);
    },
    { embedded: true, nodes: NODES },
  );
}

/**
 * @param {ApiServer} server
 * @param {string} namespace
 */
async function natively(server, namespace) {
  await giveDriversRights(server.client, namespace);
  const { server: uri, tls } = server.access;
  const begin = () => Promise.resolve({ uri, ca: tls.ca ?? "", stop: () => Promise.resolve() });
  return await runAll(server, namespace, { isGated: false, begin });
}

/**
 * @param {ApiServer} server
 * @param {string} folder
 * @param {string} namespace
 */
async function throughGateway(server, folder, namespace) {
  const file = join(folder, "queues.yaml");
  writeFileSync(file, JSON.stringify({ queues: QUEUES.map(({ name, weight }) => ({ name, weight })) }));
  const settings = ["--queues-file", file, "--capacity", "nodes"];
  const begin = () => gatewayProcess({ kubeconfig: server.kubeconfig, namespace, settings });
  return await runAll(server, namespace, { isGated: true, begin });
}

/**
 * Runs all applications until they are done or none makes progress, and records what they have. They are submitted before they
 * are served, so that the order of submission does not decide.
 *
 * @param {ApiServer} server
 * @param {string} namespace
 * @param {{ isGated: boolean, begin: () => Promise<Place> }} way
 */
async function runAll({ client }, namespace, { isGated, begin }) {
  const use = await followUse(client, namespace);
  const applications = [];
  for (const { name: queue, applications: count } of QUEUES) {
    for (let index = 0; index < count; index++) {
      const options = { client, namespace, isGated, minimum: MINIMUM };
      applications.push(await submit({ queue, name: `${queue}-${index}`, done: 0 }, options));
    }
  }
  const place = await begin();
  try {
    return await watched(applications, use, { client, namespace, isGated, uri: place.uri, ca: place.ca });
  } finally {
    await use.stop();
    await place.stop();
  }
}

/**
 * @param {import("./shares/run-application.mjs").Submitted[]} applications
 * @param {import("./shares/follow-use.mjs").Use} use
 * @param {import("./shares/run-application.mjs").Way} way
 * @returns {Promise<Outcome>}
 */
async function watched(applications, use, way) {
  const over = new AbortController();
  const options = { ...way, executors: EACH - 1, minimum: MINIMUM, work: WORK, signal: over.signal };
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  /** @param {string} queue */
  const unfinished = (queue) => applications.filter((one) => one.queue === queue && one.done < WORK).length;
  const runs = applications.map((application) => runApplication(application, options));
  await untilDone(runs, {
    done: () => applications.reduce((sum, one) => sum + one.done, 0),
    stuckMs: STUCK_MS,
    onLook: (now) =>
      void samples.push({
        seconds: (now - started) / 1000,
        held: Object.fromEntries(QUEUES.map(({ name }) => [name, use.of(name) / CPUS])),
        wanted: Object.fromEntries(QUEUES.map(({ name }) => [name, (unfinished(name) * EACH) / CPUS])),
      }),
    stop: () => over.abort(),
  });
  return { samples, finished: applications.filter(({ done }) => done >= WORK).length, of: applications.length };
}

/** The target share of the cluster for each queue while all queues want more. */
function targets() {
  const sum = QUEUES.reduce((total, { weight }) => total + weight, 0);
  return Object.fromEntries(QUEUES.map(({ name, weight }) => [name, weight / sum]));
}

/**
 * By how much each queue missed its own share, over the time when all queues wanted more than their share.
 *
 * @param {Outcome} outcome
 */
function deviations({ samples }) {
  const want = Object.entries(targets());
  const full = samples.findIndex(({ held }) => want.reduce((sum, [queue]) => sum + (held[queue] ?? 0), 0) >= 0.9);
  const contended = samples
    .slice(full === -1 ? samples.length : full)
    .filter(({ wanted }) => want.every(([queue, target]) => (wanted[queue] ?? 0) > target));
  const seconds = (contended.at(-1)?.seconds ?? 0) - (contended[0]?.seconds ?? 0);
  const off = want.map(([queue, target]) => {
    const mean = contended.reduce((sum, { held }) => sum + (held[queue] ?? 0), 0) / contended.length;
    return { queue, mean, target, off: mean / target - 1 };
  });
  return { seconds, off };
}

/**
 * @param {Outcome} alone
 * @param {Outcome} ours
 * @returns {import("../harness/judge.mjs").Row[]}
 */
function rows(alone, ours) {
  const { seconds, off } = deviations(ours);
  /** @param {number} share */
  const percent = (share) => `${(100 * share).toFixed(0)} %`;
  return [
    {
      what: `ten applications that want five times the cluster, and work with ${MINIMUM} executors or more: done with Spark's own scheduling`,
      found: `${alone.finished} of ${alone.of}, then nothing for ${STUCK_MS / 1000} s`,
    },
    {
      what: "the same through the gateway",
      found: `${ours.finished} of ${ours.of}`,
      wanted: "all",
      holds: ours.finished === ours.of,
    },
    ...off.map(({ queue, mean, target, off: by }) => ({
      what: `share of queue ${queue} over the ${seconds.toFixed(0)} s in which all queues want more`,
      found: percent(mean),
      wanted: `${percent(target)}, within 10 % of that`,
      holds: Math.abs(by) <= MOST_OFF,
    })),
  ];
}
