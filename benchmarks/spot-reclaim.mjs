// @ts-check
import { readFileSync } from "node:fs";
import { isConflict, isKubeError, isNotFound, resources } from "@kindling/kube";
import { giveDriversRights } from "./gateway/driver-rights.mjs";
import { gatewayProcess } from "./gateway/gateway-process.mjs";
import { inNamespace, withApiServer } from "./harness/api-server.mjs";
import { amount } from "./harness/environment.mjs";
import { judge } from "./harness/judge.mjs";
import { sleep } from "./harness/wait.mjs";
import { APPLICATION, EXECUTORS, runJob, WRITERS } from "./spot-reclaim/run-job.mjs";

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */
/** @typedef {import("./harness/api-server.mjs").ApiServer} ApiServer */
/** @typedef {{ name: string, isOurs: boolean, conf: readonly string[] }} Way */

const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const HOST = process.env["KINDLING_E2E_STAGING_HOST"] ?? "127.0.0.1";
/** The time between the notice and the end of a node, as AWS gives it. */
const NOTICE_SECONDS = amount("KINDLING_BENCH_NOTICE_SECONDS", 120);
const TASK_SECONDS = 8;
/** As many tasks as executors can do in one and a half times the notice. */
const READERS = Math.ceil((1.5 * NOTICE_SECONDS * EXECUTORS) / TASK_SECONDS);
const MOST_AGAIN = 1 / 5;
const TAINT = { key: "aws-node-termination-handler/spot-itn", value: "true", effect: "NoSchedule" };
/** Karpenter and the node termination handler evict the pods moments after the notice. */
const EVICTION_AFTER_MS = 500;
/** A budget may refuse an eviction for a while. */
const EVICTION_AGAIN_MS = 5_000;
const NODES = { group: "", version: "v1", plural: "nodes", kind: "Node", namespaced: false };
const DECOMMISSION = ["spark.decommission.enabled=true", "spark.storage.decommission.enabled=true"];

/** What is lost of a shuffle if its node is taken back two minutes after a notice. */
export async function spotReclaim() {
  return await withApiServer(async (server, folder) => {
    const node = await nodeToTake(server.client);
    const rows = [];
    for (const version of VERSIONS) rows.push(...(await ofVersion(server, { folder, node, version })));
    return judge(rows);
  });
}

/**
 * @param {ApiServer} server
 * @param {{ folder: string, node: string, version: string }} options
 * @returns {Promise<import("./harness/judge.mjs").Row[]>}
 */
async function ofVersion(server, { folder, node, version }) {
  /** @type {readonly Way[]} */
  const ways = [
    { name: "a stock driver", isOurs: false, conf: [] },
    { name: "a stock driver that decommissions its executors", isOurs: false, conf: DECOMMISSION },
    { name: "the gateway", isOurs: true, conf: DECOMMISSION },
  ];
  const outcomes = [];
  for (const way of ways) outcomes.push({ way, again: await tasksAgain(server, { folder, node, version, way }) });
  const stock = outcomes[0]?.again ?? 0;
  return outcomes.map(({ way, again }) => ({
    what: `tasks that ran again after the only spot node was taken back ${NOTICE_SECONDS} s after its notice, Spark ${version}, with ${way.name}`,
    found: Number.isNaN(again) ? "the result is wrong" : `${again} of ${WRITERS + READERS}, and the result is right`,
    ...(way.isOurs && {
      wanted: `at most a fifth of the stock driver's, and the right result`,
      holds: again <= stock * MOST_AGAIN,
    }),
  }));
}

/**
 * @param {ApiServer} server
 * @param {{ folder: string, node: string, version: string, way: Way }} options
 * @returns {Promise<number>} how many tasks ran again; not a number if the result is wrong
 */
async function tasksAgain(server, { folder, node, version, way }) {
  const { client, kubeconfig } = server;
  return await inNamespace(server, `kindling-benchmark-reclaim-${process.pid}`, async (namespace) => {
    const data = { [APPLICATION]: readFileSync(new URL(`spot-reclaim/${APPLICATION}`, import.meta.url), "utf8") };
    const files = { metadata: { name: "applications" }, data };
    await client.create(resources.configmaps, files, { namespace });
    if (!way.isOurs) await giveDriversRights(client, namespace);
    const settings = ["--capacity", "nodes"];
    const gateway = way.isOurs ? await gatewayProcess({ kubeconfig, namespace, host: HOST, settings }) : undefined;
    /** @type {Promise<void>[]} */
    const taking = [];
    try {
      const conf = [...way.conf, ...(gateway === undefined ? [] : confOf(gateway))];
      const options = { namespace, folder, version, node, conf, readers: READERS, seconds: TASK_SECONDS };
      const { sum, tasks, log } = await runJob(options, () => taking.push(take(client, namespace, node)));
      await Promise.all(taking);
      const isRight = sum === (READERS * WRITERS * (WRITERS - 1)) / 2 && taking.length === 1;
      if (isRight) return tasks - WRITERS - READERS;
      process.stderr.write(`Spark ${version}, ${way.name}:\n${log.slice(-4_000)}\n`);
      return Number.NaN;
    } finally {
      await client.patch(NODES, node, "merge", { spec: { taints: [] } });
      await gateway?.stop();
    }
  });
}

/** @param {import("./gateway/gateway-process.mjs").GatewayProcess} gateway */
function confOf(gateway) {
  return [
    "spark.kindling.scheduler=gateway",
    `spark.kindling.scheduler.uri=https://${HOST}:${new URL(gateway.uri).port}`,
    `spark.kindling.scheduler.caFile=${gateway.caFile}`,
  ];
}

/**
 * The name of a node that takes pods, beside another one.
 *
 * @param {KubeClient} client
 */
async function nodeToTake(client) {
  const { items } = await client.listAll(resources.nodes, {});
  const [node, ...others] = items.filter(
    ({ spec }) => (spec?.taints ?? []).length === 0 && spec?.unschedulable !== true,
  );
  if (node?.metadata?.name === undefined || others.length === 0)
    throw new Error("this benchmark needs two nodes that take pods");
  return node.metadata.name;
}

/**
 * Takes a node as clouds take spot nodes: a taint announces it, pods are evicted, and what is left later is lost.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {string} node
 */
async function take(client, namespace, node) {
  await client.patch(NODES, node, "merge", { spec: { taints: [TAINT] } });
  await sleep(EVICTION_AFTER_MS);
  const over = sleep(NOTICE_SECONDS * 1000 - EVICTION_AFTER_MS).then(() => true);
  for (let isOver = false; !isOver;) {
    for (const name of await executorsOn(client, namespace, node)) await evict(client, namespace, name);
    isOver = await Promise.race([over, sleep(EVICTION_AGAIN_MS).then(() => false)]);
  }
  for (const name of await executorsOn(client, namespace, node))
    await unlessGone(client.delete(resources.pods, name, { namespace, gracePeriodSeconds: 0 }));
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {string} node
 */
async function executorsOn(client, namespace, node) {
  const fieldSelector = `spec.nodeName=${node}`;
  const { items } = await client.listAll(resources.pods, {
    namespace,
    labelSelector: "spark-role=executor",
    fieldSelector,
  });
  return items.map(({ metadata }) => metadata?.name ?? "");
}

/**
 * A refused eviction is tried again.
 *
 * @param {KubeClient} client
 * @param {string} namespace
 * @param {string} name
 */
async function evict(client, namespace, name) {
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace } };
  try {
    await unlessGone(client.request({ method: "POST", path, body }));
  } catch (error) {
    if (!isKubeError(error) || error.kind !== "status" || error.status !== 429) throw error;
  }
}

/** @param {Promise<unknown>} request */
async function unlessGone(request) {
  try {
    await request;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
