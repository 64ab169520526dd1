// @ts-check
// `npm run version-packages`: applies the changesets, so that each package gets its next version and its CHANGELOG.md.
//
// A package that was never released has no CHANGELOG.md, and already has the version of its first release. For changesets this
// is a pre-release of that version, and any changeset turns it into the version itself.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { publishedPackages } from "../packages/manifests.mjs";

const changeset = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");
/**
 * Packages that are installed together in a cluster have one version. The charts and the images have it too (`fixed` in
 * .changeset/config.json).
 */
const CHARTS = ["deploy/helm/kindling/Chart.yaml", "deploy/helm/kindling-operator/Chart.yaml"];
/** The manifests that the first chart makes. They contain its version and the version of the images in each object. */
const PLAIN_MANIFESTS = ["deploy/manifests/kindling.yaml", "deploy/manifests/kindling-s3.yaml"];
const IN_MANIFESTS = /(?<=\bversion: "|image(?:: |=)\S+:)\d[^"\s]*/g;
const CHARTS_FOLLOW = "@kindling/submit-cli";
const CONSTANT = /(?<=\bVERSION = ")[^"]+(?=";)/;

/**
 * Gives each package of a repository its next version, and writes it into the package's code, too.
 *
 * @param {string} root the repository
 * @returns {Record<string, string>} the versions to release, by name
 * @throws Error if a package that was never released has no changeset
 */
export function versionPackages(root) {
  const before = publishedPackages(root);
  const neverReleased = before.filter(({ folder }) => !existsSync(join(root, folder, "CHANGELOG.md")));
  const missed = missedBy(root, neverReleased);
  if (missed.length > 0) throw new Error(`never released, and without a changeset: ${missed.join(", ")}`);
  for (const { folder, manifest } of neverReleased) {
    replaceIn(join(root, folder, "package.json"), /(?<="version": ")[^"]+/, `${manifest.version}-0`);
  }
  execFileSync(process.execPath, [changeset, "version"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const after = publishedPackages(root);
  for (const { folder, manifest } of after) {
    const file = join(root, folder, "src", "version.ts");
    if (existsSync(file)) replaceIn(file, CONSTANT, manifest.version);
  }
  const followed = after.find(({ manifest }) => manifest.name === CHARTS_FOLLOW);
  if (followed === undefined) throw new Error(`there is no ${CHARTS_FOLLOW}, whose version the charts have`);
  const { version } = followed.manifest;
  for (const chart of CHARTS) replaceIn(join(root, chart), /(?<=^(?:version|appVersion): ).*$/gm, version);
  for (const file of PLAIN_MANIFESTS) replaceIn(join(root, file), IN_MANIFESTS, version);
  const unchanged = new Map(before.map(({ manifest }) => [manifest.name, manifest.version]));
  for (const { manifest } of neverReleased) unchanged.delete(manifest.name);
  return Object.fromEntries(
    after
      .map(({ manifest }) => /** @type {const} */ ([manifest.name, manifest.version]))
      .filter(([name, version]) => version !== unchanged.get(name)),
  );
}

/**
 * The given packages that no changeset names.
 *
 * @param {string} root
 * @param {readonly import("../packages/manifests.mjs").Package[]} packages
 */
function missedBy(root, packages) {
  const changesets = readdirSync(join(root, ".changeset")).filter((name) => name.endsWith(".md"));
  const named = new Set(
    changesets.flatMap((name) => {
      const [, head = ""] = readFileSync(join(root, ".changeset", name), "utf8").split(/^---$/m);
      return [...head.matchAll(/^["']?([^"':\s]+)["']?:/gm)].map(([, one]) => one);
    }),
  );
  return packages.map(({ manifest }) => manifest.name).filter((name) => !named.has(name));
}

/**
 * @param {string} file
 * @param {RegExp} pattern
 * @param {string} text the replacement
 */
function replaceIn(file, pattern, text) {
  writeFileSync(file, readFileSync(file, "utf8").replace(pattern, text));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.stdout.write(
    `${JSON.stringify(versionPackages(fileURLToPath(new URL("../..", import.meta.url))), null, 2)}\n`,
  );
}
