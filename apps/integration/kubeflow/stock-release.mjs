// @ts-check
// Makes the stock kubeflow operator of the release that Kindling's is compared with, from its Go module:
//
//   node apps/integration/kubeflow/stock-release.mjs
//
// Needs Go. It prints the path of a folder of
//
//   source            the module, with the Go files of compare/ added: some compared functions are not exported
//   spark-operator    the operator
//   kindling-compare  gives stock's answers, one line of JSON each (compare/cmd/kindling-compare)
//
// An existing folder is kept as long as the Go files of compare/ are the same.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULE = "github.com/kubeflow/spark-operator/v2";
const VERSION = "2.5.2";
const OURS = fileURLToPath(new URL("compare/", import.meta.url));

/**
 * Builds the release if it does not exist yet.
 *
 * @returns {{folder: string, source: string, operator: string, compare: string}} paths: of the folder, of the module's
 *   source, and of both programs
 */
export function stockRelease() {
  const servers = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
  const folder = join(servers, `kubeflow-operator-${VERSION}`);
  const release = {
    folder,
    source: join(folder, "source"),
    operator: join(folder, "spark-operator"),
    compare: join(folder, "kindling-compare"),
  };
  const marker = join(folder, "made-of");
  const madeOf = hashOfOurs();
  if (existsSync(marker) && readFileSync(marker, "utf8") === madeOf) return release;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(moduleSource(), release.source, { recursive: true });
  // The module cache is read-only.
  execFileSync("chmod", ["-R", "u+w", release.source]);
  cpSync(OURS, release.source, { recursive: true });
  build(release.source, release.operator, "./cmd/operator");
  build(release.source, release.compare, "./cmd/kindling-compare");
  writeFileSync(marker, madeOf);
  return release;
}

function hashOfOurs() {
  const hash = createHash("sha256");
  const files = readdirSync(OURS, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()) {
    hash.update(`${path.slice(OURS.length)}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

/** @returns {string} the module's folder in Go's cache */
function moduleSource() {
  const cwd = mkdtempSync(join(tmpdir(), "kindling-stock-"));
  try {
    // The user's flags may forbid modules outside of a vendor folder.
    const env = { ...process.env, GOFLAGS: "-mod=mod" };
    writeFileSync(join(cwd, "go.mod"), "module kindling.invalid/stock\n");
    const args = ["mod", "download", "-json", `${MODULE}@v${VERSION}`];
    /** @type {{ Dir: string }} */
    const { Dir } = JSON.parse(execFileSync("go", args, { cwd, env, encoding: "utf8" }));
    return Dir;
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/**
 * @param {string} cwd the module's folder
 * @param {string} program that is made
 * @param {string} path of its source
 */
function build(cwd, program, path) {
  const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod" };
  const args = ["build", "-trimpath", "-buildvcs=false", "-o", program, path];
  execFileSync("go", args, { cwd, env, stdio: ["ignore", 2, "inherit"] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${stockRelease().folder}\n`);
