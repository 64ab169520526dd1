// @ts-check
// `npm run test:kubernetes -- KUBECONFIG …`: runs tests against the clusters of these kubeconfigs, which may have any version
// of Kubernetes, and writes the results to kubernetes.json. docs/compatibility.md is made from it. A cluster without nodes is
// enough for the tests of requests; on one with nodes, applications run, too. `--suites charts,recordings` runs only these of
// conformance, charts, recordings, applications. Environment variables of the end-to-end suites (CONTRIBUTING.md) have their
// effect here as well.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createKubeClient, loadClusterAccess, resources } from "../../../packages/kube/dist/index.js";
import { countReport } from "../../tests/test-reports.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const resultsFile = new URL("kubernetes.json", import.meta.url);
const SPARKS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");

/** @typedef {import("../compatibility.mjs").TriedKubernetes} TriedKubernetes */

/** Suites of tests that only send requests, by the name of their count. */
const REQUESTS = /** @type {const} */ ({
  conformance: {
    projects: ["conformance", "kube"],
    files: ["apps/conformance/test/conformance.test.ts", "packages/kube/test/conformance/server-cases.test.ts"],
    // Not those on the embedded cluster: they are the same everywhere.
    only: "the real API server",
  },
  charts: { projects: ["chart"], files: ["apps/chart/test/on-a-cluster.test.ts"], only: "" },
  recordings: {
    projects: ["submit-cli"],
    files: ["packages/submit-cli/test/recordings-on-a-cluster.test.ts"],
    only: "",
  },
});

/** The end-to-end suites in which applications run natively and through the gateway. */
const SUITES = ["suites/submission.e2e.ts", "suites/gateway.e2e.ts"];

const ALL = [...Object.keys(REQUESTS), "applications"];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { suites: { type: "string" } } });
const wanted = values.suites?.split(",") ?? ALL;
const kubeconfigs = positionals.map((path) => resolve(path));
const faults = [
  ...kubeconfigs.filter((path) => !existsSync(path)).map((path) => `there is no ${path}\n`),
  ...wanted.filter((name) => !ALL.includes(name)).map((name) => `${name} is none of ${ALL.join(", ")}\n`),
];
if (kubeconfigs.length === 0 || faults.length > 0) {
  process.stderr.write(
    `${faults.join("")}usage: npm run test:kubernetes -- [--suites ${ALL.join(",")}] KUBECONFIG …\n`,
  );
  process.exit(1);
}
for (const kubeconfig of kubeconfigs) {
  const result = await testOn(kubeconfig);
  keep(result);
  process.stdout.write(`${JSON.stringify(result)}\n`);
  const counts = [...Object.values(result.requests), ...Object.values(result.applications)];
  if (counts.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/**
 * @param {string} kubeconfig
 * @returns {Promise<TriedKubernetes>}
 */
async function testOn(kubeconfig) {
  const { version, hasNodes } = await describe(kubeconfig);
  process.stdout.write(`\n== Kubernetes ${version}${hasNodes ? "" : ", without nodes"}\n`);
  const env = { KUBECONFIG: kubeconfig };
  const chosen = Object.entries(REQUESTS).filter(([name]) => wanted.includes(name));
  const requests = chosen.map(([name, { projects, files, only }]) => {
    const args = [...projects.flatMap((project) => ["--project", project]), ...files];
    return [name, vitest([...args, ...(only === "" ? [] : ["--testNamePattern", only])], env, "tests")];
  });
  const applications = (hasNodes && wanted.includes("applications") ? SPARKS : []).map((spark) => {
    const args = ["--config", "apps/integration/vitest.e2e.config.ts", ...SUITES];
    return [spark, vitest(args, { ...env, KINDLING_E2E_SPARK_VERSIONS: spark }, "e2e")];
  });
  return {
    kubernetes: version,
    node: process.versions.node,
    requests: Object.fromEntries(requests),
    applications: Object.fromEntries(applications),
  };
}

/**
 * @param {string} kubeconfig
 * @returns {Promise<{ version: string, hasNodes: boolean }>}
 */
async function describe(kubeconfig) {
  const client = createKubeClient(await loadClusterAccess({ env: { KUBECONFIG: kubeconfig } }));
  try {
    /** @type {{ gitVersion: string }} */
    const { gitVersion } = await client.request({ method: "GET", path: "/version" });
    const { items } = await client.listAll(resources.nodes);
    return { version: gitVersion.replace(/^v/, ""), hasNodes: items.length > 0 };
  } finally {
    client.close();
  }
}

/**
 * Runs vitest, and counts its tests. A run that ends with an error has a failure, whatever its report says.
 *
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} env
 * @param {string} report its name
 * @returns {import("../compatibility.mjs").Count}
 */
function vitest(args, env, report) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-kubernetes-"));
  try {
    const command = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...args];
    const given = { ...process.env, ...env, KINDLING_REPORTS: folder };
    const { status } = spawnSync(process.execPath, command, { cwd: root, env: given, stdio: "inherit" });
    const { passed, failed } = countReport(folder, report);
    return { passed, failed: Math.max(failed, status === 0 ? 0 : 1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Adds a result. Its counts replace older ones of the same version of Kubernetes and the same line of Node; another patch
 * release of the same minor version is replaced with all its counts.
 *
 * @param {TriedKubernetes} result
 */
function keep(result) {
  /** @param {TriedKubernetes} tried */
  const line = ({ kubernetes, node }) => [...kubernetes.split(".").slice(0, 2), node.split(".", 1)[0]].map(Number);
  /** @param {TriedKubernetes} one @param {TriedKubernetes} other */
  const order = (one, other) => {
    const [a, b] = [line(one), line(other)];
    const at = a.findIndex((part, index) => part !== b[index]);
    return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
  };
  /** @type {TriedKubernetes[]} */
  const old = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : [];
  const same = old.find((one) => one.kubernetes === result.kubernetes && order(one, result) === 0);
  const merged = {
    ...result,
    requests: { ...same?.requests, ...result.requests },
    applications: { ...same?.applications, ...result.applications },
  };
  const all = [...old.filter((one) => order(one, result) !== 0), merged].toSorted(order);
  writeFileSync(resultsFile, `${JSON.stringify(all, undefined, 2)}\n`);
}
