// Whether the chart of Kindling's operator renders the same objects from the same values as kubeflow's chart
// (spark-operator-chart of v2.5.2), so that `helm upgrade` replaces each object in place.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { differences } from "../differences.ts";
import { PLACES } from "../repository.ts";
import { INSTALLATIONS } from "./installations.ts";
import { compared, isLeftOut, isWebhooks } from "./meant-differences.ts";
import type { Rendered } from "./rendered.ts";
import { rightsOf } from "./rights-of.ts";

const NAMESPACE = "spark-operator";
const RELEASES = ["spark-operator", "etl"];

export interface ChartPlaces {
  /** The program. */
  readonly helm: string;
  /** Folder of kubeflow's chart. */
  readonly stock: string;
  /** Folder of ours. */
  readonly ours?: string;
}

export interface ComparedChart {
  readonly installations: number;
  /** How many stock objects were compared. */
  readonly objects: number;
  readonly differences: readonly string[];
  /**
   * The rights that our chart has in addition to the stock ones, and the stock rights that it does not have, in any
   * installation.
   */
  readonly rights: { readonly more: readonly string[]; readonly fewer: readonly string[] };
}

/**
 * Renders both charts for many installations, and for kubeflow's own files of values. Each stock object, except those of the
 * webhook, must be in our chart with the same names, selectors, accounts, ports and fields of pods. Flags that only a Go
 * program reads are left out; `meant-differences.ts` says what else is left out. Rights are compared separately, because our
 * chart is meant to have fewer.
 */
export function compareChart({ helm, stock, ours = PLACES.chart }: ChartPlaces): ComparedChart {
  const cases = [
    ...Object.entries(INSTALLATIONS).map(([name, values]) => ({ name, flags: setFlags(values) })),
    { name: "with kubeflow's values.yaml", flags: ["--values", join(stock, "values.yaml")] },
    { name: "with kubeflow's ci-values.yaml", flags: ["--values", join(stock, "ci/ci-values.yaml")] },
  ];
  const found = cases.flatMap(({ name, flags }) =>
    RELEASES.map((release) => {
      const theirs = render(helm, stock, release, flags);
      const own = render(helm, ours, release, flags);
      return comparedObjects(`${name}, release ${release}`, theirs, own);
    }),
  );
  return {
    installations: cases.length,
    objects: found.reduce((sum, { objects }) => sum + objects, 0),
    differences: found.flatMap((one) => one.differences),
    rights: { more: sorted(found.flatMap(({ more }) => more)), fewer: sorted(found.flatMap(({ fewer }) => fewer)) },
  };
}

function comparedObjects(where: string, theirs: readonly Rendered[], own: readonly Rendered[]) {
  const objects = theirs.filter((one) => !isLeftOut(one, theirs));
  const [before, after] = [rightsOf(theirs.filter((one) => !isWebhooks(one))), rightsOf(own)];
  return {
    objects: objects.length,
    differences: objects.flatMap((object) => {
      const counterpart = own.find((one) => titleOf(one) === titleOf(object));
      const all = counterpart === undefined ? [": is missing"] : differences(compared(object), compared(counterpart));
      return all.map((text) => `${where}: ${titleOf(object)}${text}`);
    }),
    more: [...after].filter((right) => !before.has(right)),
    fewer: [...before].filter((right) => !after.has(right)),
  };
}

function setFlags(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["--set-json", `${name}=${JSON.stringify(value)}`]);
}

function render(helm: string, chart: string, release: string, flags: readonly string[]): Rendered[] {
  const cluster = ["--kube-version", "1.31.0", "--api-versions", "monitoring.coreos.com/v1/PodMonitor"];
  const args = ["template", release, chart, "--namespace", NAMESPACE, ...cluster, ...flags];
  const text = execFileSync(helm, args, {
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
}

/** What Helm identifies an object by. */
function titleOf({ apiVersion, kind, metadata: { name, namespace = NAMESPACE } }: Rendered): string {
  return `${apiVersion} ${kind} ${kind.startsWith("Cluster") ? "" : `${namespace}/`}${name}`;
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted((one, other) => (one < other ? -1 : 1));
}
