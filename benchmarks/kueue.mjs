// @ts-check
import { resources } from "@kindling/kube";
import { inNamespace, withApiServer } from "./harness/api-server.mjs";
import { withHollowNodes } from "./harness/hollow-nodes.mjs";
import { judge } from "./harness/judge.mjs";
import { sleep } from "./harness/wait.mjs";
import { gatewayProcess } from "./gateway/gateway-process.mjs";
import { runApplication, submit } from "./gateway/shares/run-application.mjs";
import { URGENT, withClusterQueue } from "./kueue/cluster-queue.mjs";
import { byOwnIntegration } from "./kueue/own-integration.mjs";
import { followExecutors } from "./kueue/follow-executors.mjs";

/** @typedef {import("./harness/judge.mjs").Row} Row */
/** @typedef {import("./harness/api-server.mjs").ApiServer} ApiServer */

/** How long a count of executors has to stay the same to be final. */
const STILL_MS = 4_000;
const MOST_SECONDS_AFTER_KUEUE = 2;
const MOST_REQUESTS = 3;

/** Executors under the quotas of a real Kueue. */
export async function kueue() {
  return await withApiServer(async (server) => {
    const rows = await withHollowNodes(server.client, [{ name: "bench-kueue" }], async () => [
      ...(await growing(server, { name: "bench-kueue-20", wanted: 20, first: 8 })),
      await byOwnIntegration(server),
      ...(await growing(server, { name: "bench-kueue-100", wanted: 100, first: 30 })),
      ...(await preempted(server)),
    ]);
    return judge(rows);
  });
}

/**
 * An application that asks for more executors than there is quota for, and then gets the quota.
 *
 * @param {ApiServer} server
 * @param {{ name: string, wanted: number, first: number }} sizes
 * @returns {Promise<Row[]>}
 */
async function growing(server, { name, wanted, first }) {
  return await withApplication(server, { name, wanted, cpus: first + 1 }, async ({ pods, place, setCpus }) => {
    await still(() => pods.running(), first);
    const found = `${pods.running()} run, ${pods.made() - pods.running()} others were made, ${pods.stuck()} waited for a node`;
    const before = await place.requests();
    await setCpus(wanted + 1);
    while (pods.running() < wanted) await sleep(10);
    const late = (performance.now() - pods.admittedAt()) / 1000;
    const requests = workloadRequests(await place.requests());
    const steps = Math.ceil(wanted / 10) + 1;
    return [
      {
        what: `${wanted} executors wanted, quota for ${first}`,
        found,
        wanted: `${first} run, none pending or gated`,
        holds: pods.running() === wanted && pods.stuck() === 0 && found.startsWith(`${first} run, 0 others`),
      },
      {
        what: `from Kueue's last admission to ${wanted} executors that run`,
        found: `${late.toFixed(1)} s`,
        wanted: `at most ${MOST_SECONDS_AFTER_KUEUE} s`,
        holds: late <= MOST_SECONDS_AFTER_KUEUE,
      },
      {
        what: "requests about Workloads for each time that the driver asked, or got quota",
        found: `${(requests / steps).toFixed(1)} (${workloadRequests(before)}, then ${requests - workloadRequests(before)})`,
        wanted: `at most ${MOST_REQUESTS}`,
        holds: requests <= MOST_REQUESTS * steps,
      },
    ];
  });
}

/**
 * A batch Job with a higher priority takes some of the quota, and gives it back.
 *
 * @param {ApiServer} server
 * @returns {Promise<Row[]>}
 */
async function preempted(server) {
  const name = "bench-kueue-preempted";
  const wanted = 12;
  return await withApplication(server, { name, wanted, cpus: wanted + 1 }, async ({ pods }) => {
    const { client } = server;
    while (pods.running() < wanted) await sleep(10);
    const driver = (await client.get(resources.pods, "app", { namespace: name })).metadata?.uid;
    const jobs = { group: "batch", version: "v1", plural: "jobs", kind: "Job", namespaced: true };
    const began = performance.now();
    await client.create(jobs, urgentJob(6), { namespace: name });
    while ((await startedPodsOf(client, name, "urgent")) < 6) await sleep(100);
    const seconds = (performance.now() - began) / 1000;
    const left = pods.running();
    await client.delete(jobs, "urgent", { namespace: name, propagationPolicy: "Background" });
    const freed = performance.now();
    while (pods.running() < wanted) await sleep(50);
    const back = (performance.now() - freed) / 1000;
    const after = (await client.get(resources.pods, "app", { namespace: name })).metadata?.uid;
    return [
      {
        what: "a Job of 6 pods with a higher priority takes quota of surplus executors",
        found: `it runs after ${seconds.toFixed(1)} s, with ${left} of ${wanted} executors beside it`,
        wanted: "the driver and its minimum executors stay",
        holds: driver === after && left >= 2 && left <= wanted - 6,
      },
      { what: "all executors run again when the Job is gone", found: `after ${back.toFixed(1)} s` },
    ];
  });
}

/**
 * @param {ApiServer} server
 * @param {{ name: string, wanted: number, cpus: number }} sizes
 * @param {(parts: { pods: import("./kueue/follow-executors.mjs").SeenPods, place: import("./gateway/gateway-process.mjs").GatewayProcess, setCpus: (cpus: number) => Promise<void> }) => Promise<Row[]>} measure
 */
async function withApplication(server, { name, wanted, cpus }, measure) {
  const { client, kubeconfig } = server;
  return await inNamespace(server, name, async (namespace) =>
    withClusterQueue(client, { namespace, cpus }, async (setCpus) => {
      const pods = await followExecutors(client, namespace);
      const settings = ["--capacity", "kueue", "--queues-preemption-grace", "2s"];
      const place = await gatewayProcess({ kubeconfig, namespace, settings });
      const over = new AbortController();
      try {
        const options = { client, namespace, isGated: true, minimum: 2, uri: place.uri, ca: place.ca };
        const application = await submit({ queue: "default", name: "app", done: 0 }, options);
        const run = runApplication(application, {
          ...options,
          executors: wanted,
          work: Infinity,
          signal: over.signal,
        });
        const rows = await measure({ pods, place, setCpus });
        over.abort();
        await run;
        return rows;
      } finally {
        over.abort();
        await place.stop();
        await pods.stop();
      }
    }),
  );
}

/**
 * @param {() => number} count
 * @param {number} expected
 */
async function still(count, expected) {
  let since = performance.now();
  for (let last = count(); last < expected || performance.now() - since < STILL_MS; await sleep(50)) {
    const now = count();
    if (now !== last) since = performance.now();
    last = now;
  }
}

/** @param {import("./gateway/count-requests.mjs").RequestCounts} counts */
function workloadRequests({ made }) {
  return Object.entries(made)
    .filter(([kind]) => /workloads/.test(kind) && !/^(LIST|WATCH|list|watch)/.test(kind))
    .reduce((sum, [, count]) => sum + count, 0);
}

/** @param {number} pods */
function urgentJob(pods) {
  return {
    metadata: {
      name: "urgent",
      labels: { "kueue.x-k8s.io/queue-name": "default", "kueue.x-k8s.io/priority-class": URGENT },
    },
    spec: {
      ...{ parallelism: pods, completions: pods, suspend: true },
      template: {
        metadata: { labels: { job: "urgent" } },
        spec: {
          restartPolicy: "Never",
          containers: [{ name: "c", image: "i", resources: { requests: { cpu: "1", memory: "1Gi" } } }],
        },
      },
    },
  };
}

/**
 * How many pods of a job have started. (kwok ends them at once.)
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {string} job
 */
async function startedPodsOf(client, namespace, job) {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector: `job=${job}` });
  return items.filter(({ status }) => status?.phase !== "Pending").length;
}
