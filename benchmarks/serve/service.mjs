// @ts-check
// The service in a separate process, so that its memory can be measured after a garbage collection.
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { loadConfig, startSubmissionServer } from "@kindling/submission-server";

/** @typedef {{ uri: string }} Ready */

/**
 * The memory that it keeps and the memory that it uses in total, in MiB; and its processor time, in microseconds.
 *
 * @typedef {{ kept: number, rss: number, cpu: { user: number, system: number } }} Figures
 */

const [namespace = ""] = process.argv.slice(2);
const args = ["--cluster-namespaces", namespace, "--listen-port", "0", "--admin-port", "0", "--log-level", "warn"];
const config = loadConfig({ args, env: {}, readFile: () => "" });
const client = createKubeClient(await loadClusterAccess({}), { userAgent: "kindling-serve" });
const server = await startSubmissionServer(config, { client, log: process.stderr });
await server.ready;
tell({ uri: server.uri });

/** @param {Ready | Figures} message to the parent process */
function tell(message) {
  process.send?.(message);
}

process.on("message", () => {
  // Weak references and the objects behind them are collected one collection after the other.
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  tell({ kept: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20, cpu: process.cpuUsage() });
});
process.on("disconnect", () => process.exit());
