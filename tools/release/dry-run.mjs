// @ts-check
// `npm run release:dry-run`: does a whole release of the last commit in a copy, without the steps that others would see. It
// makes versions and CHANGELOGs, builds, packs tarballs and checks their contents, runs `npm publish --dry-run`, and installs
// from only the tarballs. Then it runs every documented command that installs something, against a registry and a chart
// repository on this machine, and makes the command as a single file.
//
// Only a public CI can sign provenance. This run checks that everything that provenance needs is there.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedPackages } from "../packages/manifests.mjs";
import { withPinnedPnpm } from "../packages/pinned-pnpm.mjs";
import { installAsDocumented } from "./install-as-documented.mjs";
import { tarballFaults } from "./tarball.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { NODE_AUTH_TOKEN: _, ...environment } = withPinnedPnpm(root);
const env = { ...environment, TURBO_TELEMETRY_DISABLED: "1" };
const work = mkdtempSync(join(tmpdir(), "kindling-release-"));
const copy = join(work, "copy");
const packed = join(work, "packed");

try {
  const released = version();
  build();
  const packages = publishedPackages(copy).map(pack);
  const faults = packages.flatMap(check);
  for (const fault of faults) say(`FAULT ${fault}`);
  packages.forEach(publishDry);
  install(packages);
  for await (const line of installAsDocumented(copy, packages.map(published), work, env)) say(`documented ${line}`);
  say(run(process.execPath, ["deploy/single-file/build.mjs", "--output", join(work, "single-file")], copy).trim());
  say(
    `${packages.length} packages, of which ${Object.keys(released).length} would be released; ${faults.length} faults`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** @typedef {{ name: string, version: string, tarball: string }} PackedPackage */

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs a program without showing its output; the output is shown if it fails.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} cwd
 */
function run(program, args, cwd) {
  return execFileSync(program, args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 26,
  });
}

function version() {
  if (run("git", ["status", "--porcelain"], root) !== "") say("note: what is not committed is no part of it");
  run("git", ["clone", "--quiet", root, copy], work);
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--loglevel=warn"], copy);
  /** @type {Record<string, string>} */
  const released = JSON.parse(run(process.execPath, ["tools/release/version.mjs"], copy));
  for (const [name, version] of Object.entries(released)) say(`version ${name} ${version}`);
  return released;
}

function build() {
  // A cache may contain files from sources that no longer exist.
  run("pnpm", ["exec", "turbo", "run", "build", "--force", "--output-logs=errors-only"], copy);
  say("built");
}

/**
 * @param {import("../packages/manifests.mjs").Package} one
 * @returns {PackedPackage}
 */
function pack({ folder, manifest }) {
  const options = ["pack", "--json", "--pack-destination", packed];
  const { filename } = JSON.parse(run("pnpm", options, join(copy, folder)));
  return { name: manifest.name, version: manifest.version, tarball: filename };
}

/**
 * @param {PackedPackage} one
 * @param {number} _index
 * @param {readonly PackedPackage[]} all
 */
function check({ name, tarball }, _index, all) {
  const folder = join(work, "unpacked", name);
  mkdirSync(folder, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"], work);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const files = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const versions = new Map(all.map((one) => [one.name, one.version]));
  const faults = tarballFaults(files, versions);
  say(`${faults.length === 0 ? "ok   " : "wrong"} ${name}: ${files.size} files`);
  return faults.map((fault) => `${name}: ${fault}`);
}

/** @param {PackedPackage} one */
function publishDry({ name, version, tarball }) {
  run("npm", ["publish", "--dry-run", "--access", "public", tarball], work);
  say(`npm would publish ${name}@${version}`);
}

/**
 * Installs from only the tarballs and packages of others in the registry.
 *
 * @param {readonly PackedPackage[]} packages
 */
function install(packages) {
  const project = join(work, "project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  const options = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  run("npm", [...options, ...packages.map(({ tarball }) => tarball)], project);
  const said = run(join(project, "node_modules", ".bin", "kindling"), ["--version"], project).trim();
  say(`installed: ${said}`);
  const version = packages.find(({ name }) => name === "@kindling/submit-cli")?.version;
  if (!said.startsWith(`kindling ${version} `)) throw new Error(`kindling --version says ${said}, not ${version}`);
}

/**
 * @param {PackedPackage} one
 * @returns {import("./registry.mjs").Published}
 */
function published({ name, tarball }) {
  return { manifest: JSON.parse(readFileSync(join(work, "unpacked", name, "package.json"), "utf8")), tarball };
}
