// @ts-check
// Sessions of real Spark through kindling-connect, beside a server that is reached directly.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { residentMemory } from "@kindling/test-kit/process-usage";
import { bareDriver } from "./connect/bare-driver.mjs";
import { caller } from "./connect/calls.mjs";
import { python } from "./connect/python.mjs";
import { connectService } from "./connect/service.mjs";
import { amount } from "./harness/environment.mjs";
import { median } from "./harness/figures.mjs";
import { atLeast, atMost, judge } from "./harness/judge.mjs";
import { sleep } from "./harness/wait.mjs";

const NAMESPACE = process.env["KINDLING_BENCH_NAMESPACE"] ?? "default";
const ACCOUNT = process.env["KINDLING_BENCH_ACCOUNT"] ?? "spark";
const ONLY = process.env["KINDLING_BENCH_ONLY"]?.split(",");
const CONF = {
  "spark.kubernetes.container.image": process.env["KINDLING_BENCH_IMAGE"] ?? "apache/spark:4.3.0",
  "spark.kubernetes.authenticate.driver.serviceAccountName": ACCOUNT,
  "spark.driver.memory": "2g",
  "spark.driver.maxResultSize": "4g",
  "spark.executor.instances": "1",
  "spark.executor.memory": "1g",
  "spark.kubernetes.driver.request.cores": "200m",
  "spark.kubernetes.executor.request.cores": "200m",
};
const CALLS = 2000;
const IDLE_SESSIONS = 200;
const COLLECTED_MIB = amount("KINDLING_BENCH_MEBIBYTES", 1024);
const SECONDS = amount("KINDLING_BENCH_SECONDS", 1800);
const OF_SERVICE = "connect.kindling/service=benchmark";
const KILL_EVERY_MS = 60_000;

/** @typedef {import("./harness/judge.mjs").Row} Row */
/** @typedef {{ client: import("@kindling/kube").KubeClient, folder: string }} Context */

/** @param {string} profile lines of YAML */
function profiles(profile) {
  const conf = Object.entries(CONF).map(([key, value]) => `      ${key}: "${value}"`);
  return `profiles:\n  small:\n    namespace: ${NAMESPACE}\n${profile}    conf:\n${conf.join("\n")}\n`;
}

/** @param {Context} context @param {string} profile @param {(service: import("./connect/service.mjs").Service) => Promise<Row[]>} work */
async function withService({ client, folder }, profile, work) {
  const own = mkdtempSync(join(folder, "service-"));
  mkdirSync(own, { recursive: true });
  const service = await connectService(own, profiles(profile));
  await service.start();
  try {
    return await work(service);
  } finally {
    await service.stop();
    await client.deleteCollection(resources.pods, { namespace: NAMESPACE, labelSelector: OF_SERVICE });
    await untilNone(client, OF_SERVICE);
  }
}

/** @param {import("@kindling/kube").KubeClient} client @param {string} [labelSelector] */
async function untilNone(client, labelSelector = "spark-role") {
  for (;;) {
    const { items } = await client.listAll(resources.pods, { namespace: NAMESPACE, labelSelector });
    if (items.length === 0) return;
    await sleep(500);
  }
}

/** @param {Context} context @returns {Promise<Row[]>} */
async function cold(context) {
  const [bare, through] = [[], []].map(() => /** @type {number[]} */ ([]));
  for (let turn = 0; turn < amount("KINDLING_BENCH_TURNS", 5); turn += 1) {
    const began = performance.now();
    const driver = await bareDriver(context.client, NAMESPACE, CONF);
    const ready = (performance.now() - began) / 1000;
    bare?.push(ready + Number(await python("first_count.py", [`sc://${driver.host}:${driver.port}`])));
    await driver.remove();
    await untilNone(context.client);
    await withService(context, "", async ({ remote, caFile }) => {
      through?.push(Number(await python("first_count.py", [remote], caFile)));
      return [];
    });
  }
  const [one, other] = [median(bare ?? []), median(through ?? [])];
  return [
    { what: "remote() to the first count, a bare driver of the same image", found: `${one.toFixed(2)} s` },
    atMost(
      "the same through kindling-connect, without a warm driver",
      Number(other.toFixed(2)),
      "s",
      Number((one + 0.3).toFixed(2)),
    ),
  ];
}

/** @param {Context} context @returns {Promise<Row[]>} */
async function warm(context) {
  return await withService(context, "    sharing: session\n    warm: 1\n", async ({ remote, caFile, warmed }) => {
    const found = [];
    for (let turn = 0; turn < amount("KINDLING_BENCH_TURNS", 20); turn += 1) {
      while (warmed() <= turn) await sleep(200);
      found.push(Number(await python("first_count.py", [remote], caFile)));
    }
    return [
      atMost(
        `remote() to the first count, warm, median of ${found.length}`,
        Number(median(found).toFixed(2)),
        "s",
        1.5,
      ),
    ];
  });
}

/** @param {Context} context @returns {Promise<Row[]>} */
async function share(context) {
  const driver = await bareDriver(context.client, NAMESPACE, CONF);
  const direct = `sc://${driver.host}:${driver.port}`;
  try {
    return await withService(context, "", async ({ remote, caFile, port, token, pid }) => {
      await python("first_count.py", [direct]);
      await python("first_count.py", [remote], caFile);
      const one = await timeOfCalls(caller(`http://${driver.host}:${driver.port}`));
      const other = await timeOfCalls(caller(`https://localhost:${port}`, { caFile, token }));
      const speeds = [
        [direct, undefined],
        [remote, caFile],
      ].map(() => /** @type {number[]} */ ([]));
      for (let turn = 0; turn < 3; turn += 1) {
        speeds[0]?.push(COLLECTED_MIB / Number(await python("collect.py", [direct, String(COLLECTED_MIB)])));
        speeds[1]?.push(COLLECTED_MIB / Number(await python("collect.py", [remote, String(COLLECTED_MIB)], caFile)));
      }
      const [straight, through] = speeds.map((found) => median(found));
      return [
        { what: `a call directly, median of ${CALLS}`, found: `${one.toFixed(2)} ms` },
        atMost("the share of kindling-connect of a call", Number((other - one).toFixed(2)), "ms", 2),
        { what: `${COLLECTED_MIB} MiB collected directly`, found: `${(straight ?? 0).toFixed(0)} MiB/s` },
        atLeast(
          "the same through kindling-connect",
          Number(((100 * (through ?? 0)) / (straight ?? 1)).toFixed(0)),
          "%",
          90,
        ),
        { what: "memory of kindling-connect after that", found: `${Math.round(residentMemory(pid()))} MiB` },
      ];
    });
  } finally {
    await driver.remove();
    await untilNone(context.client);
  }
}

/** @param {ReturnType<typeof caller>} client @returns {Promise<number>} milliseconds */
async function timeOfCalls(client) {
  const found = [];
  for (let count = 0; count < CALLS + 200; count += 1) {
    const began = performance.now();
    const status = await client.call();
    if (status !== "0") throw new Error(`a call ended with ${status}`);
    if (count >= 200) found.push(performance.now() - began);
  }
  client.close();
  return median(found);
}

/** @param {Context} context @returns {Promise<Row[]>} */
async function idle(context) {
  return await withService(context, "    idle: 5s\n", async ({ port, caFile, token, pid }) => {
    const clients = Array.from({ length: IDLE_SESSIONS }, () => caller(`https://localhost:${port}`, { caFile, token }));
    for (const client of clients) await client.call();
    await untilNone(context.client);
    const { items } = await context.client.listAll(resources.pods, {
      namespace: NAMESPACE,
      labelSelector: "spark-role",
    });
    const memory = Math.round(residentMemory(pid()));
    for (const client of clients) client.close();
    return [
      atMost(`memory with ${IDLE_SESSIONS} idle sessions`, memory, "MiB", 128),
      atMost("drivers for them", items.length, "", 0),
    ];
  });
}

/** @param {Context} context @returns {Promise<Row[]>} */
async function killed(context) {
  return await withService(context, "", async (service) => {
    const { remote, caFile } = service;
    await python("first_count.py", [remote], caFile);
    const over = new AbortController();
    let kills = 0;
    const killing = (async () => {
      for (;;) {
        await sleep(KILL_EVERY_MS);
        if (over.signal.aborted) return;
        await service.stop("SIGKILL");
        await service.start();
        kills += 1;
      }
    })();
    /** @type {{ right: number, wrong: number, lost: number, faults: string[] }} */
    const found = JSON.parse(await python("queries.py", [remote, "20", String(SECONDS)], caFile));
    over.abort();
    await killing;
    for (const fault of found.faults) process.stderr.write(`${fault}\n`);
    return [
      { what: `queries of 20 sessions, while kindling-connect was killed ${kills} times`, found: String(found.right) },
      atMost("wrong results", found.wrong, "", 0),
      atMost("lost queries", found.lost, "", 0),
    ];
  });
}

const PARTS = { cold, warm, share, idle, killed };

/** Measures all parts, or those that `KINDLING_BENCH_ONLY` names. */
export async function connectSessions() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const access = await loadClusterAccess({ env: process.env });
  const client = createKubeClient(access, { userAgent: "kindling-benchmark" });
  try {
    const rows = [];
    for (const [name, part] of Object.entries(PARTS))
      if (ONLY === undefined || ONLY.some((one) => one === name)) rows.push(...(await part({ client, folder })));
    return judge(rows);
  } finally {
    client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
