// @ts-check
// The end-to-end suite on its own embedded cluster, which `kindling dev` starts and ends. Arguments go to vitest.
//
// KINDLING_E2E_SPARK_HOME names the folders of real Spark installations; `{version}` in it stands for the version. Without
// it they are fetched from PyPI. KINDLING_E2E_SPARK_VERSIONS names the versions.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("../..", import.meta.url));
const state = mkdtempSync(join(tmpdir(), "kindling-e2e-dev-"));
const versions = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const homes = process.env["KINDLING_E2E_SPARK_HOME"];

/**
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env]
 */
function run(args, env = {}) {
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

/** @param {readonly string[]} args */
function dev(...args) {
  const bin = join(require.resolve("@kindling/dev/package.json"), "..", "bin", "kindling-dev.js");
  return run([bin, ...args, "--state", state]);
}

const sparkHomes = versions.flatMap((version) =>
  homes === undefined ? [] : ["--spark-home", homes.replaceAll("{version}", version)],
);
try {
  process.exitCode = dev("up", "--yes", ...sparkHomes);
  if (process.exitCode === 0) {
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const config = fileURLToPath(new URL("vitest.e2e.config.ts", import.meta.url));
    process.exitCode = run([vitest, "run", "--config", config, ...process.argv.slice(2)], {
      KUBECONFIG: join(state, "kubeconfig"),
      KINDLING_E2E_STAGING_HOST: "127.0.0.1",
      KINDLING_E2E_LOCALIZER_IMAGE: "kindling/localizer:dev",
      KINDLING_E2E_SPARK_VERSIONS: versions.join(","),
      // Long tests run on a real cluster.
      KINDLING_E2E_FULL: process.env["KINDLING_E2E_FULL"] ?? "0",
      KINDLING_E2E_REPORT: "e2e-embedded",
      KINDLING_E2E_EMBEDDED: "1",
    });
  }
} finally {
  dev("down");
  rmSync(state, { recursive: true, force: true });
}
