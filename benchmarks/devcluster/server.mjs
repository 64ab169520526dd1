// An embedded cluster as a process of its own. Says how long it took to start, and writes a kubeconfig.
import { writeFileSync } from "node:fs";

const [kubeconfig, options] = [process.argv[2], JSON.parse(process.argv[3])];
// With the loading of the package: this is what its user waits for.
const { DevCluster } = await import("@kindling/devcluster");
const cluster = await DevCluster.start(options);
writeFileSync(kubeconfig, cluster.kubeconfig());
const { user, system } = process.cpuUsage();
process.stdout.write(
  `${JSON.stringify({ milliseconds: performance.now(), cpuMilliseconds: (user + system) / 1000 })}\n`,
);
process.on("SIGTERM", () => void cluster.stop());
