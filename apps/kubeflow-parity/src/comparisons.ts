import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { compareArguments } from "./arguments/compare-arguments.ts";
import { compareConnects } from "./connect/compare-connects.ts";
import { compareChart } from "./chart/compare-chart.ts";
import { compareCrds } from "./compare-crds.ts";
import { compareCron } from "./cron/compare-cron.ts";
import { comparePods } from "./pods/compare-pods.ts";
import { leftOut, type Row } from "./row.ts";
import type { MakeStockRelease, StockRelease } from "./stock-release.ts";
import { compareSurroundings } from "./surroundings/compare-surroundings.ts";

const SERVERS = process.env["KINDLING_TEST_SERVERS"] ?? join(homedir(), ".cache", "kindling-test-servers");
const HELM = process.env["KINDLING_HELM"] ?? join(SERVERS, "bin", "helm");
/** How many differences of each comparison are shown. */
const SHOWN = 10;

interface Compared {
  readonly differences: readonly string[];
  /** How much was compared. */
  readonly of: string;
}

interface Comparison {
  readonly what: string;
  readonly needsHelm?: boolean;
  readonly compare: (stock: StockRelease) => Compared | Promise<Compared>;
}

/** What is compared with the stock operator's own code. Intended differences are left out. */
const COMPARISONS: readonly Comparison[] = [
  {
    what: "arguments for spark-submit",
    compare({ compare, source }) {
      const found = compareArguments(compare, join(source, "examples"), 1_000);
      return { ...found, of: `${found.keys} of ${found.applications} applications` };
    },
  },
  {
    what: "pods of drivers and executors",
    async compare({ compare, source }) {
      const found = await comparePods(compare, join(source, "examples"));
      const pods = found.driverPods + found.executorPods + found.templatedExecutorPods;
      return { ...found, of: `${pods} of ${found.applications} applications` };
    },
  },
  {
    what: "objects around applications",
    compare({ compare }) {
      const found = compareSurroundings(compare);
      return { ...found, of: `${found.objects} of ${found.applications} applications` };
    },
  },
  {
    what: "objects of Connect servers",
    compare({ compare }) {
      const found = compareConnects(compare);
      return { ...found, of: `${found.objects} of ${found.connects} SparkConnects` };
    },
  },
  {
    what: "next times of schedules",
    compare() {
      const { differences, times, schedules } = compareCron();
      const shown = differences.map((one) => JSON.stringify(one));
      return { differences: shown, of: `${times} of ${schedules} schedules` };
    },
  },
  {
    what: "fields of the custom resource definitions",
    compare({ source }) {
      const found = compareCrds(join(source, "config/crd/bases"));
      return { ...found, of: String(found.fields) };
    },
  },
  {
    what: "objects of the chart",
    needsHelm: true,
    compare({ source }) {
      const found = compareChart({ helm: HELM, stock: join(source, "charts/spark-operator-chart") });
      return { ...found, of: `${found.objects} of ${found.installations} installations` };
    },
  },
];

/** How many differences there are between what the operator makes and what kubeflow's operator makes. */
export async function comparisonRows(makeStockRelease: MakeStockRelease): Promise<Row[]> {
  const hasGo = spawnSync("go", ["version"]).error === undefined;
  const stock = hasGo ? makeStockRelease() : undefined;
  const rows: Row[] = [];
  for (const { what, needsHelm = false, compare } of COMPARISONS) {
    const title = `${what} that differ from stock's`;
    if (stock === undefined) rows.push({ ...leftOut(title, "there is no go"), wanted: "none" });
    else if (needsHelm && !existsSync(HELM)) rows.push({ ...leftOut(title, "there is no helm"), wanted: "none" });
    else rows.push(judged(title, await compare(stock)));
  }
  return rows;
}

function judged(what: string, { differences, of }: Compared): Row {
  if (differences.length > 0) process.stderr.write(`${[what, ...differences.slice(0, SHOWN)].join("\n  ")}\n`);
  return { what, found: `${differences.length} among ${of}`, wanted: "none", holds: differences.length === 0 };
}
