// An embedded cluster as a process of its own, which counts the requests that it gets.
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { DevCluster } from "@kindling/devcluster";
import { serve } from "./calls.mjs";
import { kindOfRequest } from "./request-kinds.mjs";

const [kubeconfig, options] = [process.argv[2], JSON.parse(process.argv[3])];
const counts = new Map();
subscribe("http.server.request.start", ({ request }) => {
  const kind = kindOfRequest(request.method, request.url);
  const key = JSON.stringify(kind);
  counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + 1 });
});
const cluster = await DevCluster.start(options);
writeFileSync(kubeconfig, cluster.kubeconfig());
serve({ ready: () => cluster.url, counts: () => [...counts.values()] });
process.on("SIGTERM", () => void cluster.stop().then(() => process.exit(0)));
