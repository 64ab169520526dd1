import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { stockRelease } from "../../../apps/integration/kubeflow/stock-release.mjs";
import { inNamespace } from "../../gateway/api-server.mjs";
import { applyDefinitions, applyStockDefinitions } from "../load/definitions.mjs";
import { startKindling, startStock } from "../load/operators.mjs";
import { DASHBOARD, missedByDashboard } from "./dashboard.mjs";
import { compareFamilies } from "./differences.mjs";
import { liveAll } from "./lives.mjs";
import { familiesOf, freePort, settledScrape } from "./scrape.mjs";

/** One that the applications have, as by kubeflow's chart, the special one, and one that nothing has. */
const LABELS = "app_type,namespace,team-name";

/**
 * Metrics of both operators at the API server of KUBECONFIG, once each has seen applications that are submitted, run, fail,
 * complete and are refused. Needs the Spark of SPARK_HOME, which the stock operator starts.
 */
export async function metricRows() {
  const { KUBECONFIG, SPARK_HOME = "" } = process.env;
  if (KUBECONFIG === undefined) return [leftOut("KUBECONFIG names no cluster")];
  if (SPARK_HOME === "") return [leftOut("SPARK_HOME names no Spark 4.0.4 for kubeflow's operator")];
  const { ours, stock } = await scrapeBoth(SPARK_HOME);
  const { compared, leftOut: count, missing, different } = compareFamilies(stock, ours);
  const dashboard = missedByDashboard(ours);
  return [
    rowOf("metrics of kubeflow's that are missing", missing, `among ${compared}, without ${count} of Go and webhooks`),
    rowOf("metrics of another type, label, bucket or count", different, `among ${compared}`),
    rowOf("series that Grafana's dashboard 23032 would miss", dashboard, `in ${DASHBOARD.length} panels`),
  ];
}

function leftOut(why) {
  return { what: "metrics of both operators", found: `left out: ${why}` };
}

function rowOf(what, faults, of) {
  if (faults.length > 0) process.stderr.write(`${[what, ...faults].join("\n  ")}\n`);
  return { what, found: `${faults.length} ${of}`, wanted: "none", holds: faults.length === 0 };
}

async function scrapeBoth(SPARK_HOME) {
  const { operator: program, source } = stockRelease();
  const access = await loadClusterAccess({});
  const client = createKubeClient(access);
  const home = mkdtempSync(join(tmpdir(), "kindling-benchmark-stock-"));
  try {
    await applyDefinitions(client);
    await applyStockDefinitions(client, source);
    const ours = await scraped(client, "ours", startKindling);
    const stock = await scraped(client, "stock", (namespace, flags) =>
      startStock(program, namespace, access, { SPARK_HOME, HOME: home }, flags),
    );
    return { ours, stock };
  } finally {
    client.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** What an operator serves once it has seen all lives. */
async function scraped(client, whose, start) {
  return await inNamespace({ client }, `kindling-metrics-${whose}-${process.pid}`, async (namespace) => {
    const port = await freePort();
    const operator = await start(namespace, [
      ...["--enable-metrics", `--metrics-bind-address=127.0.0.1:${port}`, `--metrics-labels=${LABELS}`],
      ...["--leader-election=true", `--leader-election-lock-namespace=${namespace}`],
      // A JVM on a busy machine takes longer than the 10 s after which stock takes its driver for lost.
      "--driver-pod-creation-grace-period=120s",
    ]);
    try {
      await liveAll(client, namespace);
      const text = await settledScrape(`http://127.0.0.1:${port}/metrics`);
      return familiesOf(text.replaceAll(namespace, "the-namespace"));
    } finally {
      await operator.stop();
    }
  });
}
