// @ts-check
import { runChaos } from "../gateway/chaos/run-chaos.mjs";

const IMAGE = process.env["KINDLING_E2E_LOCALIZER_IMAGE"] ?? "kindling/localizer:e2e";
/** The text that every second application makes. It does not fit into the heap of its executors, which has 512 MiB at first. */
const HUNGRY_MIB = 330;

const CONF = {
  "spark.kindling.shuffle": "keep",
  "spark.kindling.localizer.image": IMAGE,
  "spark.kindling.memory": "heal",
  "spark.dynamicAllocation.enabled": "true",
  "spark.dynamicAllocation.initialExecutors": "2",
  "spark.dynamicAllocation.minExecutors": "0",
  "spark.dynamicAllocation.maxExecutors": "3",
  "spark.dynamicAllocation.executorIdleTimeout": "3s",
  // Each executor that is killed from outside counts as a failure of its tasks.
  "spark.task.maxFailures": "10",
};

/**
 * Applications whose executors leave their shuffle files behind and heal, while everything breaks.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {string} folder
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function chaos(server, folder) {
  const memory = (/** @type {number} */ seed) => (seed % 4 < 2 ? HUNGRY_MIB : 0);
  return await runChaos(server, folder, { conf: CONF, memory });
}
