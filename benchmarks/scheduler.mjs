// @ts-check
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DevCluster } from "@kindling/devcluster";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { systemClock as clock } from "@kindling/outside";
import {
  ExecutorPodsSnapshotsStore,
  kubeExecutorPods,
  KubernetesSchedulerBackend,
  schedulerSettings,
  startExecutorPodsWatchSource,
} from "@kindling/scheduler";
import { sparkConf } from "@kindling/core-spec";
import { judge } from "./harness/judge.mjs";
import { sleep } from "./harness/wait.mjs";

const HISTORIES = 100_000;
const EXECUTORS = 1_000;
const CONNECTIONS = 16;
const APPLICATION = "spark-benchmark";

/** How reliable the scheduler is, and how fast it creates executors. */
export async function scheduler() {
  return judge([...model(), ...(await allocation())]);
}

/** Random histories of a cluster, and faults in the library that these histories must find. */
function model() {
  const seed = Math.floor(Math.random() * 1e9);
  const histories = tests("histories", { KINDLING_HISTORIES: String(HISTORIES), KINDLING_SEED: String(seed) });
  const mutants = tests("mutants", { KINDLING_ROUNDS: "all" });
  return [
    {
      what: `${HISTORIES} random histories, seed ${seed}`,
      found: histories.failed === 0 ? "no rule broken" : "a rule is broken",
      wanted: "no rule broken",
      holds: histories.failed === 0 && histories.passed === 1,
    },
    {
      what: "faults put into the library that the histories show",
      found: `${mutants.passed} of ${mutants.passed + mutants.failed}`,
      wanted: "all, and at least 10",
      holds: mutants.failed === 0 && mutants.passed >= 10,
    },
  ];
}

/**
 * @param {string} name of a file of tests
 * @param {Readonly<Record<string, string>>} env
 */
function tests(name, env) {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const args = [
    "vitest",
    "run",
    "--project",
    "scheduler",
    "--reporter",
    "json",
    `packages/scheduler/test/model/${name}.test.ts`,
  ];
  const { stdout } = spawnSync("npx", args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  /** @type {{ numPassedTests: number, numFailedTests: number }} */
  const { numPassedTests, numFailedTests } = JSON.parse(stdout.slice(stdout.indexOf("{")));
  return { passed: numPassedTests, failed: numFailedTests };
}

/**
 * The executors of one application, from the request until all are seen, compared with pods that are created as fast as the
 * server can.
 */
async function allocation() {
  const cluster = process.env["KUBECONFIG"] === undefined ? await DevCluster.start() : undefined;
  const overlays = cluster === undefined ? {} : { overlays: { server: cluster.url } };
  const client = createKubeClient(await loadClusterAccess(overlays));
  const namespace = `kindling-benchmark-${process.pid}`;
  await client.create(resources.namespaces, { metadata: { name: namespace } });
  try {
    const alone = await bySelf(client, namespace);
    const ours = await byScheduler(client, namespace);
    const server = cluster === undefined ? "a real API server" : "the embedded cluster";
    return [
      { what: `pods a second that ${server} makes, on ${CONNECTIONS} connections`, found: alone.toFixed(0) },
      {
        what: `executors a second of one application with ${EXECUTORS}, until all are seen`,
        found: ours.toFixed(0),
        wanted: "at least 200",
        holds: ours >= 200,
      },
      { what: "of what the server can", found: `${Math.round((100 * ours) / alone)} %` },
    ];
  } finally {
    await client.request({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
    client.close();
    await cluster?.stop();
  }
}

/**
 * A pod that is not placed on any node, so that only the API server's work is measured.
 *
 * @param {number} id
 */
function build(id, application = APPLICATION) {
  const labels = { "spark-app-selector": application, "spark-role": "executor", "spark-exec-id": String(id) };
  const containers = [{ name: "spark-kubernetes-executor", image: "none", args: ["executor"] }];
  const spec = { restartPolicy: "Never", containers, schedulerName: "nobody", automountServiceAccountToken: false };
  return { pod: { metadata: { name: `${application}-exec-${id}`, labels }, spec }, claims: [] };
}

/**
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
async function bySelf(client, namespace) {
  const ids = Array.from({ length: EXECUTORS }, (_, index) => index + 1).values();
  const started = clock.monotonic();
  const connection = async () => {
    for (const id of ids) await client.create(resources.pods, build(id, "alone").pod, { namespace });
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return EXECUTORS / ((clock.monotonic() - started) / 1000);
}

/**
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 */
async function byScheduler(client, namespace) {
  const size = String(EXECUTORS);
  const conf = { "spark.kubernetes.allocation.batch.size": size, "spark.kubernetes.allocation.batch.delay": "101ms" };
  const { allocator, lifecycle } = schedulerSettings(sparkConf(conf, { sparkVersion: "4.1.1" }));
  const store = new ExecutorPodsSnapshotsStore({ clock });
  const source = startExecutorPodsWatchSource({ client, namespace, clock });
  source.attach(APPLICATION, store);
  const pods = kubeExecutorPods({ client, namespace, applicationId: APPLICATION, build: (id) => build(id) });
  const backend = new KubernetesSchedulerBackend({
    store,
    pods,
    allocator,
    lifecycle,
    clock,
    parallelRequests: CONNECTIONS,
  });
  await source.synced;
  const started = clock.monotonic();
  backend.start();
  backend.requestTotalExecutors(new Map([[0, EXECUTORS]]));
  while (store.last.pods.size < EXECUTORS) await sleep(10);
  const seconds = (clock.monotonic() - started) / 1000;
  await backend.stop();
  await source.stop();
  return EXECUTORS / seconds;
}
