// @ts-check
// From a cluster of no nodes to a hundred executors that run: by Spark's own scheduling, and through the gateway.
import { sleep } from "../harness/wait.mjs";
import { runApplication, submit } from "../gateway/shares/run-application.mjs";
import { onNodePool } from "./on-node-pool.mjs";
import { AUTO, STOCK } from "./ways.mjs";

const EXECUTORS = 100;
const LIMIT = 160;
const MOST_LONGER_SECONDS = 1;

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @returns {Promise<import("../harness/judge.mjs").Row[]>}
 */
export async function fromZero(server) {
  const stock = await secondsTo(server, STOCK);
  const ours = await secondsTo(server, AUTO);
  const what = `from no nodes to ${EXECUTORS} executors that run, by`;
  return [
    { what: `${what} ${STOCK.name}`, found: `${stock.toFixed(1)} s` },
    {
      what: `${what} ${AUTO.name}`,
      found: `${ours.toFixed(1)} s`,
      wanted: `at most ${(stock + MOST_LONGER_SECONDS).toFixed(1)} s`,
      holds: ours <= stock + MOST_LONGER_SECONDS,
    },
  ];
}

/**
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {import("./ways.mjs").Way} way
 */
async function secondsTo(server, way) {
  return await onNodePool(server, { name: "zero", cpus: LIMIT, way }, async (place, nodes) => {
    const over = new AbortController();
    try {
      const began = performance.now();
      const options = { ...place, minimum: 2 };
      const application = await submit({ queue: "default", name: "app", done: 0 }, options);
      const run = runApplication(application, {
        ...options,
        executors: EXECUTORS,
        work: Infinity,
        signal: over.signal,
      });
      while (nodes.executors() < EXECUTORS) await sleep(50);
      const seconds = (performance.now() - began) / 1000;
      over.abort();
      await run;
      return seconds;
    } finally {
      over.abort();
    }
  });
}
