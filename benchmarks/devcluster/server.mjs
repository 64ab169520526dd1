// @ts-check
// An embedded cluster as a separate process. Reports how long it took to start, and writes a kubeconfig.
import { writeFileSync } from "node:fs";

/** @typedef {{ milliseconds: number, cpuMilliseconds: number }} Start how much time its start took */

const [kubeconfig = "", text = "{}"] = process.argv.slice(2);
/** @type {import("@kindling/devcluster").DevClusterOptions} */
const options = JSON.parse(text);
// The time includes loading the package, because its user waits for that too.
const { DevCluster } = await import("@kindling/devcluster");
const cluster = await DevCluster.start(options);
writeFileSync(kubeconfig, cluster.kubeconfig());
const { user, system } = process.cpuUsage();
/** @type {Start} */
const start = { milliseconds: performance.now(), cpuMilliseconds: (user + system) / 1000 };
process.stdout.write(`${JSON.stringify(start)}\n`);
process.on("SIGTERM", () => void cluster.stop());
