// @ts-check
// An embedded cluster as a separate process, which counts the requests that it gets.
import { subscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import { DevCluster } from "@kindling/devcluster";
import { serve } from "./calls.mjs";
import { kindOfRequest } from "./request-kinds.mjs";

const [kubeconfig = "", text = "{}"] = process.argv.slice(2);
/** @type {import("@kindling/devcluster").DevClusterOptions} */
const options = JSON.parse(text);
/** @type {Map<string, import("./api-server.mjs").RequestCount>} */
const counts = new Map();
subscribe("http.server.request.start", (message) => {
  const { request } = /** @type {{ request: import("node:http").IncomingMessage }} */ (message);
  const kind = kindOfRequest(request.method ?? "", request.url ?? "/");
  const key = JSON.stringify(kind);
  counts.set(key, { ...kind, count: (counts.get(key)?.count ?? 0) + 1 });
});
const cluster = await DevCluster.start(options);
writeFileSync(kubeconfig, cluster.kubeconfig());
const functions = { ready: () => cluster.url, counts: () => [...counts.values()] };
/** @typedef {typeof functions} Embedded */
serve(functions);
process.on("SIGTERM", () => void cluster.stop().then(() => process.exit(0)));
