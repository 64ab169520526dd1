import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, type KubeClient, loadClusterAccess } from "@kindling/kube";
import { freePort } from "@kindling/test-kit/free-port";
import { applyDefinitions } from "../operators/definitions.ts";
import { type RunningOperator, startKindling, startStock } from "../operators/operators.ts";
import { leftOut, type Row } from "../row.ts";
import type { MakeStockRelease } from "../stock-release.ts";
import { DASHBOARD, missedByDashboard } from "./dashboard.ts";
import { compareFamilies } from "./differences.ts";
import { liveAll } from "./lives.ts";
import { familiesOf, type Family, settledScrape } from "./scrape.ts";

/**
 * A label that the applications have, as in kubeflow's chart; the special label `namespace`; and a label that no application
 * has.
 */
const LABELS = "app_type,namespace,team-name";
const WHAT = "metrics of both operators";

/**
 * Runs something in a namespace that has an account for drivers. The namespace is deleted afterwards, with everything in it.
 */
export type InNamespace = <T>(
  place: { readonly client: KubeClient },
  name: string,
  run: (namespace: string) => Promise<T>,
) => Promise<T>;

/**
 * Metrics of both operators at the API server of KUBECONFIG, after each has seen applications that are submitted, run, fail,
 * complete and are refused. Needs the Spark of SPARK_HOME, which the stock operator starts.
 */
export async function metricRows(makeStockRelease: MakeStockRelease, inNamespace: InNamespace): Promise<Row[]> {
  const { KUBECONFIG, SPARK_HOME = "" } = process.env;
  if (KUBECONFIG === undefined) return [leftOut(WHAT, "KUBECONFIG names no cluster")];
  if (SPARK_HOME === "") return [leftOut(WHAT, "SPARK_HOME names no Spark 4.0.4 for kubeflow's operator")];
  const { ours, stock } = await scrapeBoth(makeStockRelease, inNamespace, SPARK_HOME);
  const { compared, leftOut: count, missing, different } = compareFamilies(stock, ours);
  const dashboard = missedByDashboard(ours);
  return [
    rowOf("metrics of kubeflow's that are missing", missing, `among ${compared}, without ${count} of Go and webhooks`),
    rowOf("metrics of another type, label, bucket or count", different, `among ${compared}`),
    rowOf("series that Grafana's dashboard 23032 would miss", dashboard, `in ${DASHBOARD.length} panels`),
  ];
}

function rowOf(what: string, faults: readonly string[], of: string): Row {
  if (faults.length > 0) process.stderr.write(`${[what, ...faults].join("\n  ")}\n`);
  return { what, found: `${faults.length} ${of}`, wanted: "none", holds: faults.length === 0 };
}

async function scrapeBoth(makeStockRelease: MakeStockRelease, inNamespace: InNamespace, SPARK_HOME: string) {
  const { operator: program } = makeStockRelease();
  const access = await loadClusterAccess({});
  const client = createKubeClient(access);
  const HOME = mkdtempSync(join(tmpdir(), "kindling-benchmark-stock-"));
  const scraped = (whose: string, start: StartOperator): Promise<ReadonlyMap<string, Family>> =>
    inNamespace({ client }, `kindling-metrics-${whose}-${process.pid}`, (namespace) =>
      familiesOfOperator(client, namespace, start),
    );
  try {
    await applyDefinitions(client);
    const ours = await scraped("ours", startKindling);
    const stock = await scraped("stock", (namespace, flags) =>
      startStock({ program, access, env: { SPARK_HOME, HOME } }, namespace, flags),
    );
    return { ours, stock };
  } finally {
    client.close();
    rmSync(HOME, { recursive: true, force: true });
  }
}

type StartOperator = (namespace: string, flags: readonly string[]) => Promise<RunningOperator>;

/** The metrics that an operator serves after it has seen all lives. */
async function familiesOfOperator(
  client: KubeClient,
  namespace: string,
  start: StartOperator,
): Promise<ReadonlyMap<string, Family>> {
  const port = await freePort();
  const operator = await start(namespace, [
    ...["--enable-metrics", `--metrics-bind-address=127.0.0.1:${port}`, `--metrics-labels=${LABELS}`],
    ...["--leader-election=true", `--leader-election-lock-namespace=${namespace}`],
    // On a busy computer a JVM needs more than 10 s. After that time the stock operator assumes that the driver is lost.
    "--driver-pod-creation-grace-period=120s",
  ]);
  try {
    await liveAll(client, namespace);
    const text = await settledScrape(`http://127.0.0.1:${port}/metrics`);
    return familiesOf(text.replaceAll(namespace, "the-namespace"));
  } finally {
    await operator.stop();
  }
}
