// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gatewayProcess } from "./gateway/gateway-process.mjs";
import { startHonest, startHostile, startKubelet } from "./gateway/programs.mjs";
import { inNamespace, withApiServer } from "./harness/api-server.mjs";
import { amount } from "./harness/environment.mjs";
import { quantile } from "./harness/figures.mjs";
import { judge } from "./harness/judge.mjs";
import { watchUsage } from "./harness/watch-usage.mjs";

const MINUTES = amount("KINDLING_BENCH_MINUTES", 10);
const DRIVERS = amount("KINDLING_BENCH_DRIVERS", 40);
const ONLY = process.env["KINDLING_BENCH_ONLY"] ?? "";
const EXECUTORS = 20;
const MEMORY_MIB = 256;
const QUEUES = `queues:
  - name: honest
    ceiling: { pods: ${DRIVERS * (EXECUTORS + 5)} }
  - name: hostile
    ceiling: { pods: ${DRIVERS * 10}, cpu: ${DRIVERS * 4} }
`;

/** Drivers that do nothing wrong, and the same number of drivers that do everything wrong, at one small gateway. */
export async function gatewayHostile() {
  return await withApiServer(async (server, folder) => {
    const name = `kindling-benchmark-hostile-${process.pid}`;
    return await inNamespace(server, name, async (namespace) => judge(await hostile(server, folder, namespace)));
  });
}

/**
 * @param {import("./harness/api-server.mjs").ApiServer} server
 * @param {string} folder
 * @param {string} namespace
 */
async function hostile(server, folder, namespace) {
  const queues = join(folder, "queues.yaml");
  writeFileSync(queues, QUEUES);
  const kubelet = startKubelet(server.kubeconfig, namespace);
  const honest = startHonest(server.kubeconfig, namespace);
  const evil = startHostile(server.kubeconfig, namespace, ONLY);
  const settings = ["--capacity", "unlimited", "--queues-file", queues];
  const gateway = await gatewayProcess({ kubeconfig: server.kubeconfig, namespace, settings, memoryMiB: MEMORY_MIB });
  const usage = watchUsage(gateway.pid, gateway.group);
  try {
    await kubelet.call("ready");
    await honest.call("begin", DRIVERS, EXECUTORS, gateway.uri, gateway.ca);
    const alone = await honest.call("live", Math.min(60, MINUTES * 20));
    await evil.call("begin", DRIVERS, gateway.uri, gateway.ca);
    const among = await honest.call("live", MINUTES * 60);
    const { sent, answers } = await evil.call("answers");
    return rows({
      alone,
      among,
      sent,
      answers,
      isAlive: gateway.isAlive,
      peak: usage.peaks().memory,
      ...(gateway.group !== undefined && { group: gateway.group }),
    });
  } finally {
    usage.stop();
    await evil.stop();
    await honest.stop();
    await gateway.stop();
    await kubelet.stop();
  }
}

/**
 * The result.
 *
 * @typedef {object} Outcome
 * @property {import("./gateway/hostile/honest.mjs").Life} alone without hostile drivers
 * @property {import("./gateway/hostile/honest.mjs").Life} among with hostile drivers
 * @property {number} sent requests of hostile drivers
 * @property {Readonly<Record<string, number>>} answers to hostile drivers
 * @property {boolean} isAlive whether the gateway still runs
 * @property {number} peak the gateway's memory, in MiB
 * @property {import("./harness/memory-group.mjs").MemoryGroup} [group]
 */

/**
 * @param {Outcome} outcome
 * @returns {import("./harness/judge.mjs").Row[]}
 */
function rows({ alone, among, sent, answers, isAlive, peak, group }) {
  const limit = group === undefined ? "no cgroup" : `${MEMORY_MIB} MiB (${group.kind})`;
  const [requests, events] = [quantile(among.requests, 0.99), quantile(among.events, 0.99)];
  for (const failure of new Set(among.failures)) process.stderr.write(`an honest request failed: ${failure}\n`);
  return [
    {
      what: `a gateway with ${limit}, ${DRIVERS} honest drivers with ${EXECUTORS} executors each, and ${DRIVERS} hostile ones, for ${MINUTES} minutes`,
      found: isAlive ? "it stays up" : "it ended",
      wanted: "it stays up",
      holds: isAlive,
    },
    { what: "hostile requests", found: `${sent.toLocaleString("en")}: ${answered(answers)}` },
    { what: "its memory at most", found: `${Math.round(peak)} MiB` },
    {
      what: "honest requests before that, half and 99 %",
      found: both(alone.requests),
    },
    {
      what: `honest requests meanwhile (${among.requests.length.toLocaleString("en")}), half and 99 %`,
      found: both(among.requests),
      wanted: "99 % below 250 ms",
      holds: requests < 250,
    },
    {
      what: "honest requests that failed",
      found: String(among.failures.length),
      wanted: "0",
      holds: among.failures.length === 0,
    },
    { what: "from an event of the API server to its driver before that, half and 99 %", found: both(alone.events) },
    {
      what: "from an event of the API server to its driver meanwhile, half and 99 %",
      found: both(among.events),
      wanted: "99 % below 100 ms",
      holds: events < 100,
    },
    {
      what: "changes that did not reach their driver",
      found: String(among.eventsMissing),
      wanted: "0",
      holds: among.eventsMissing === 0,
    },
    {
      what: "honest executors lost",
      found: String(among.executorsLost),
      wanted: "0",
      holds: among.executorsLost === 0,
    },
  ];
}

/** @param {Readonly<Record<string, number>>} answers */
function answered(answers) {
  return Object.entries(answers)
    .sort(([, a], [, b]) => b - a)
    .map(([status, count]) => `${count.toLocaleString("en")} × ${status}`)
    .join(", ");
}

/** @param {readonly number[]} times in milliseconds */
function both(times) {
  return `${quantile(times, 0.5).toFixed(1)} ms, ${quantile(times, 0.99).toFixed(1)} ms`;
}
