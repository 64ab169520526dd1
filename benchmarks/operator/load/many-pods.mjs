// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startKindling } from "@kindling/kubeflow-parity/operators";
import { atMost } from "../../harness/judge.mjs";
import { startTelling } from "../../harness/processes.mjs";
import { sleep } from "../../harness/wait.mjs";

const FULL_CLUSTER = fileURLToPath(new URL("full-cluster.mjs", import.meta.url));
const APPLICATIONS = 10_000;
const PODS = 50_000;
const WATCHED_SECONDS = 15;

/** What an operator keeps in memory of a full cluster. */
export async function manyPods() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-full-"));
  const cluster = startTelling(FULL_CLUSTER, [String(APPLICATIONS), String(PODS)]);
  try {
    const port = await cluster.line();
    const kubeconfig = join(folder, "config");
    writeFileSync(kubeconfig, kubeconfigOf(`http://127.0.0.1:${port}`));
    const operator = await startKindling("full", [`--kubeconfig=${kubeconfig}`, "--enable-ui-service=false"]);
    await sleep(WATCHED_SECONDS * 1000);
    const peak = operator.peak();
    await operator.stop();
    return [atMost(`memory at its peak, with ${APPLICATIONS} applications and ${PODS} pods`, peak, "MiB", 300)];
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} server */
function kubeconfigOf(server) {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "full", cluster: { server } }],
    users: [{ name: "full", user: {} }],
    contexts: [{ name: "full", context: { cluster: "full", user: "full" } }],
    "current-context": "full",
  });
}
