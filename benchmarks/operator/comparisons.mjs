import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { stockRelease } from "../../apps/integration/kubeflow/stock-release.mjs";

const SERVERS = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const HELM = process.env.KINDLING_HELM ?? join(SERVERS, "bin", "helm");
/** As many differences are shown of each comparison. */
const SHOWN = 10;

/**
 * What is compared with stock's own code, besides what is meant to differ. Each gives its differences, and of how much.
 *
 * @type {readonly {what: string, needsHelm?: boolean, compare: (stock: object) => Promise<{differences: string[], of: string}>}[]}
 */
const COMPARISONS = [
  {
    what: "arguments for spark-submit",
    async compare({ compare, source }) {
      const { compareArguments } = await import("./arguments.mjs");
      const found = await compareArguments(compare, join(source, "examples"), 1_000);
      return { ...found, of: `${found.keys} of ${found.applications} applications` };
    },
  },
  {
    what: "pods of drivers and executors",
    async compare({ compare, source }) {
      const { compareDriverPods } = await import("./driver-pods.mjs");
      const found = await compareDriverPods(compare, join(source, "examples"));
      const pods = found.driverPods + found.executorPods + found.templatedExecutorPods;
      return { ...found, of: `${pods} of ${found.applications} applications` };
    },
  },
  {
    what: "objects around applications",
    async compare({ compare }) {
      const { compareSurroundings } = await import("./surroundings.mjs");
      const found = await compareSurroundings(compare);
      return { ...found, of: `${found.objects} of ${found.applications} applications` };
    },
  },
  {
    what: "next times of schedules",
    async compare() {
      const { compareCron } = await import("./cron.mjs");
      const { differences, ...found } = await compareCron();
      const shown = differences.map((one) => JSON.stringify(one));
      return { differences: shown, of: `${found.times} of ${found.schedules} schedules` };
    },
  },
  {
    what: "fields of the custom resource definitions",
    async compare({ source }) {
      const { compareCrds } = await import("./crds.mjs");
      const found = compareCrds(join(source, "config/crd/bases"));
      return { ...found, of: String(found.fields) };
    },
  },
  {
    what: "objects of the chart",
    needsHelm: true,
    async compare({ source }) {
      const { compareChart } = await import("./chart.mjs");
      const found = compareChart({ helm: HELM, stock: join(source, "charts/spark-operator-chart") });
      return { ...found, of: `${found.objects} of ${found.installations} installations` };
    },
  },
];

/** Rows of a table that is judged: how much of what the operator makes differs from what kubeflow's makes. */
export async function comparisonRows() {
  const hasGo = spawnSync("go", ["version"]).error === undefined;
  const stock = hasGo ? stockRelease() : undefined;
  const rows = [];
  for (const { what, needsHelm = false, compare } of COMPARISONS) {
    const row = { what: `${what} that differ from stock's`, wanted: "none" };
    const missing = stock === undefined ? "go" : needsHelm && !existsSync(HELM) ? "helm" : undefined;
    if (missing !== undefined) rows.push({ ...row, found: `left out: there is no ${missing}` });
    else rows.push(judged(row, await compare(stock)));
  }
  return rows;
}

function judged(row, { differences, of }) {
  if (differences.length > 0) process.stderr.write(`${[row.what, ...differences.slice(0, SHOWN)].join("\n  ")}\n`);
  return { ...row, found: `${differences.length} among ${of}`, holds: differences.length === 0 };
}
