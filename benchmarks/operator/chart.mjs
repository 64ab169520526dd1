// Whether the chart of Kindling's operator makes of values what kubeflow's makes (spark-operator-chart of v2.5.2), so that
// `helm upgrade` replaces each object in place.
import { execFileSync } from "node:child_process";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import { INSTALLATIONS } from "./chart/installations.mjs";
import { compared, isLeftOut } from "./chart/meant-differences.mjs";
import { rightsOf } from "./chart/rights-of.mjs";
import { differences } from "./pods/differences.mjs";

const SERVERS = join(homedir(), ".cache/kindling-test-servers");
const STOCK = join(SERVERS, "kubeflow-operator-2.5.2/source/charts/spark-operator-chart");
const OURS = fileURLToPath(new URL("../../deploy/helm/kindling-operator", import.meta.url));
const NAMESPACE = "spark-operator";

/**
 * Renders both charts for many installations, and for kubeflow's own files of values. Each object of stock's that is not
 * the webhook's has to be in ours with the same names, selectors, accounts, ports and fields of pods. Of the flags, those
 * that only a Go program reads are left out; `chart/meant-differences.mjs` says what else. Rights are compared apart, since
 * ours are meant to be fewer.
 *
 * @param {object} [places]
 * @param {string} [places.helm] the program
 * @param {string} [places.stock] folder of kubeflow's chart
 * @param {string} [places.ours] folder of ours
 * @returns {{installations: number, objects: number, differences: string[], rights: {more: string[], fewer: string[]}}} how
 * many objects of stock's were compared; the rights that ours has beyond stock's, and does without, in any installation
 */
export function compareChart({
  helm = process.env.KINDLING_HELM ?? join(SERVERS, "bin/helm"),
  stock = STOCK,
  ours = OURS,
} = {}) {
  const cases = [
    ...Object.entries(INSTALLATIONS).map(([name, values]) => ({ name, flags: setFlags(values) })),
    { name: "with kubeflow's values.yaml", flags: ["--values", join(stock, "values.yaml")] },
    { name: "with kubeflow's ci-values.yaml", flags: ["--values", join(stock, "ci/ci-values.yaml")] },
  ];
  const found = { installations: cases.length, objects: 0, differences: [] };
  const more = new Set();
  const fewer = new Set();
  for (const { name, flags } of cases) {
    for (const release of ["spark-operator", "etl"]) {
      const [theirs, own] = [stock, ours].map((chart) => render(helm, chart, release, flags));
      for (const object of theirs.filter((one) => !isLeftOut(one, theirs))) {
        found.objects += 1;
        const title = `${name}, release ${release}: ${titleOf(object)}`;
        const counterpart = own.find((one) => titleOf(one) === titleOf(object));
        const all = counterpart === undefined ? [": is missing"] : differences(compared(object), compared(counterpart));
        found.differences.push(...all.map((text) => `${title}${text}`));
      }
      const [before, after] = [theirs.filter((one) => !isWebhooks(one)), own].map((objects) => rightsOf(objects));
      for (const right of after) if (!before.has(right)) more.add(right);
      for (const right of before) if (!after.has(right)) fewer.add(right);
    }
  }
  return { ...found, rights: { more: sorted(more), fewer: sorted(fewer) } };
}

function setFlags(values) {
  return Object.entries(values).flatMap(([name, value]) => ["--set-json", `${name}=${JSON.stringify(value)}`]);
}

function render(helm, chart, release, flags) {
  const cluster = ["--kube-version", "1.31.0", "--api-versions", "monitoring.coreos.com/v1/PodMonitor"];
  const args = ["template", release, chart, "--namespace", NAMESPACE, ...cluster, ...flags];
  const text = execFileSync(helm, args, {
    encoding: "utf8",
    maxBuffer: 64 << 20,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((object) => object !== null);
}

function isWebhooks({ metadata }) {
  return metadata.labels?.["app.kubernetes.io/component"] === "webhook";
}

/** What Helm finds an object by. */
function titleOf({ apiVersion, kind, metadata: { name, namespace = NAMESPACE } }) {
  return `${apiVersion} ${kind} ${kind.startsWith("Cluster") ? "" : `${namespace}/`}${name}`;
}

function sorted(texts) {
  return [...texts].toSorted((one, other) => (one < other ? -1 : 1));
}
