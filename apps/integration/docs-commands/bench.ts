import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadClusterAccess } from "@kindling/kube";
import { TestInstallation } from "../clusters/installation.ts";
import { stagingSetup, TestStaging, type StagingSetup } from "../clusters/staging.ts";
import { ENFORCED_LEVEL, SHORT_LIVED, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";
import { kubeconfigOf } from "./kubeconfig.ts";
import type { Need, PageRun } from "./page-run.ts";
import { ROOT } from "./pages.ts";
import { Shell } from "./shell.ts";

const [VERSION = ""] = SPARK_VERSIONS.slice(-1);

/** The applications of the pages are small: one executor is enough if a page names no number. */
const SMALL: Readonly<Record<string, string>> = { "spark.executor.instances": "1", ...SHORT_LIVED };

/** Test clusters are small, too. */
const DEFAULTS: Readonly<Record<string, string>> = {
  "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
  "spark.kubernetes.driver.request.cores": "100m",
  "spark.kubernetes.executor.request.cores": "100m",
  "spark.driver.memory": "512m",
  "spark.executor.memory": "512m",
  ...SMALL,
};

/** Where the commands of one page are run. */
export interface Bench {
  readonly shell: Shell;
  /** The namespace that replaces `default`, the namespace in the pages. */
  readonly namespace: string;
  has(need: Need): boolean;
  close(): Promise<void>;
}

/** Prepares the place for a page's commands. */
export async function openBench({ bench, files = {} }: PageRun): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "kindling-docs-"));
  const work = join(folder, "work");
  for (const name of ["bin", "home/.local/bin", "scratch", "work"]) mkdirSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    writeFileSync(join(work, name), text);
  }
  for (const [name, script] of Object.entries(PROGRAMS)) symlinkSync(join(ROOT, script), join(folder, "bin", name));
  writeFileSync(join(folder, "defaults.conf"), propertiesText(SMALL));
  const undo: (() => Promise<void>)[] = [];
  const env: NodeJS.ProcessEnv = {
    // Tests that a page runs would overwrite the report of the gate's tests.
    ...(bench === "repository" ? { ...process.env, KINDLING_REPORTS: undefined } : surroundings(folder)),
    ...((bench === "cluster" || bench === "installed") && (await clusterEnvironment(folder, bench, undo))),
    ...sparkEnvironment(),
  };
  const shell = new Shell({ env, cwd: bench === "repository" ? ROOT : work, scratch: join(folder, "scratch") });
  return {
    shell,
    namespace: env["NAMESPACE"] ?? "default",
    has: (need) => isThere(need, env),
    async close() {
      shell.close();
      for (const step of undo.reverse()) await step();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PROGRAMS = {
  kindling: "packages/submit-cli/bin/kindling.js",
  "kindling-dev": "packages/dev/bin/kindling-dev.js",
  "kindling-serve": "packages/submission-server/bin/kindling-serve.cjs",
  "kindling-operator": "packages/operator/bin/kindling-operator.cjs",
  "spark-submit": "packages/spark-submit/bin/spark-submit.js",
};

/** An environment in which nothing of the user's can be seen or changed. */
function surroundings(folder: string): NodeJS.ProcessEnv {
  const { PATH = "", JAVA_HOME } = process.env;
  return {
    PATH: `${join(folder, "bin")}:${dirname(process.execPath)}:${PATH}`,
    HOME: join(folder, "home"),
    ...(JAVA_HOME !== undefined && { JAVA_HOME }),
    KUBECONFIG: join(folder, "kubeconfig"),
    KINDLING_SITE_CONFIG: join(folder, "defaults.conf"),
    REPOSITORY: ROOT.replace(/\/$/, ""),
    NO_COLOR: "1",
    LANG: "C.UTF-8",
  };
}

/** A namespace, its kubeconfig, the default configuration of submissions from a machine, and a staging server. */
async function clusterEnvironment(
  folder: string,
  bench: "cluster" | "installed",
  undo: (() => Promise<void>)[],
): Promise<NodeJS.ProcessEnv> {
  const namespace = await TestNamespace.create("docs");
  undo.push(() => namespace.remove());
  const access = await loadClusterAccess({ env: process.env });
  writeFileSync(join(folder, "kubeconfig"), kubeconfigOf(process.env["KUBECONFIG"] ?? "", namespace.name));
  const setup = stagingSetup();
  const staging = setup && (await stagingOf(bench, namespace, setup, undo));
  const conf = { ...DEFAULTS, ...staging };
  writeFileSync(join(folder, "defaults.conf"), propertiesText(conf));
  return {
    NAMESPACE: namespace.name,
    API_SERVER: access.server,
    KINDLING_STAGING_URI: conf["spark.kindling.staging.uri"],
    STAGING_URI: conf["spark.kindling.staging.uri"] ?? (setup && "that of the installation"),
    STAGING_INTERNAL_URI: conf["spark.kindling.staging.internalUri"],
    LOCALIZER_IMAGE: conf["spark.kindling.localizer.image"],
  };
}

/** Starts a staging server; the result is the configuration that submissions need, which is empty if it is installed. */
async function stagingOf(
  bench: "cluster" | "installed",
  namespace: TestNamespace,
  setup: StagingSetup,
  undo: (() => Promise<void>)[],
): Promise<Readonly<Record<string, string>>> {
  if (bench === "installed") {
    const installation = await TestInstallation.create(namespace, setup);
    undo.push(() => installation.stop());
    return {};
  }
  const staging = await TestStaging.start(setup);
  undo.push(() => staging.stop());
  return staging.conf;
}

function propertiesText(conf: Readonly<Record<string, string>>): string {
  return Object.entries(conf)
    .map(([key, value]) => `${key} ${value}\n`)
    .join("");
}

function sparkEnvironment(): NodeJS.ProcessEnv {
  const home = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", VERSION);
  return home === undefined ? {} : { SPARK_HOME: home };
}

function isThere(need: Need, env: NodeJS.ProcessEnv): boolean {
  if (need === "no level") return ENFORCED_LEVEL === undefined;
  if (need === "kubelet") return process.env["KINDLING_E2E_EMBEDDED"] !== "1";
  if (need === "staging") return env["STAGING_URI"] !== undefined;
  if (need === "spark") return env["SPARK_HOME"] !== undefined;
  if (need === "keytool") return spawnSync(need, ["-help"], { env, stdio: "ignore" }).status === 0;
  return spawnSync(need, ["version", "--client"], { env, stdio: "ignore" }).status === 0;
}
