// @ts-check
// Each published package as npm would get it. All packages are packed at once, and packed again only when a file in one of them
// has changed. The tests that install packages and the checks of their contents use the same tarballs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedPackages } from "./manifests.mjs";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Folders that are never in a tarball. They are ignored here, so that a change of a test does not pack anything again. */
const NOT_PACKED = new Set(["node_modules", "test", ".turbo"]);

/**
 * Packs all published packages, unless exactly these files have been packed before. The packages must be built.
 *
 * @param {string} root the repository
 * @returns {Map<string, string>} the tarball of each package, by the package's name
 */
export function packedPackages(root = ROOT) {
  const packages = publishedPackages(root);
  const cache = join(root, "node_modules", ".cache", "packed-packages");
  const folder = join(cache, digestOf(root, packages));
  if (!existsSync(folder)) packInto(folder, cache, root, packages);
  return new Map(packages.map(({ manifest }) => [manifest.name, join(folder, tarballName(manifest))]));
}

/**
 * The name of a tarball as npm and pnpm write it.
 *
 * @param {import("./manifests.mjs").Manifest} manifest
 */
function tarballName({ name, version }) {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/**
 * Changes with every file that pnpm may put into a tarball, and with everything that pnpm writes into the manifests.
 *
 * @param {string} root
 * @param {readonly import("./manifests.mjs").Package[]} packages
 */
function digestOf(root, packages) {
  const hash = createHash("sha256");
  const paths = [
    "package.json",
    ".pnpmfile.cjs",
    "pnpm-workspace.yaml",
    "LICENSE",
    ...packages.flatMap(({ folder }) => filesOf(root, folder)),
  ];
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

/**
 * The files of a package that may be packed, as paths below the root.
 *
 * @param {string} root
 * @param {string} folder
 */
function filesOf(root, folder) {
  const entries = readdirSync(join(root, folder)).filter((name) => !NOT_PACKED.has(name));
  return entries
    .flatMap((name) => {
      const path = `${folder}/${name}`;
      if (!statSync(join(root, path)).isDirectory()) return [path];
      return readdirSync(join(root, path), { recursive: true, encoding: "utf8" }).map((below) => join(path, below));
    })
    .filter((path) => statSync(join(root, path)).isFile())
    .toSorted();
}

/**
 * @param {string} folder for the tarballs
 * @param {string} cache its parent folder
 * @param {string} root
 * @param {readonly import("./manifests.mjs").Package[]} packages
 */
function packInto(folder, cache, root, packages) {
  mkdirSync(cache, { recursive: true });
  removeOld(cache);
  const work = mkdtempSync(join(cache, "work-"));
  const filters = packages.flatMap(({ manifest }) => ["--filter", manifest.name]);
  const args = ["--recursive", ...filters, "pack", "--pack-destination", work];
  try {
    execFileSync("pnpm", args, { cwd: root, env: withPinnedPnpm(root), stdio: ["ignore", "pipe", "pipe"] });
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * Removes old tarballs. New ones stay, because a process may be installing from them right now.
 *
 * @param {string} cache
 */
function removeOld(cache) {
  const limit = Date.now() - 24 * 60 * 60 * 1000;
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    if (statSync(path).mtimeMs < limit) rmSync(path, { recursive: true, force: true });
  }
}
