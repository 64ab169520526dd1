// @ts-check
// Each published package as npm would have it. All are packed at once, and again only when something in one of them has
// changed: tests that install them, and the checks of what is in them, take the same files.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publishedPackages } from "./manifests.mjs";
import { withPinnedPnpm } from "./pinned-pnpm.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What no package has in its tarball; it is not looked at, so that a change of a test packs nothing again. */
const NOT_PACKED = new Set(["node_modules", "test", ".turbo"]);

/**
 * Packs all published packages, unless these very files have been packed before. They are to be built.
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
 * As npm and pnpm name it.
 *
 * @param {import("./manifests.mjs").Manifest} manifest
 */
function tarballName({ name, version }) {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/**
 * Changes with every file that pnpm may take into a tarball, and with what it writes into the manifests.
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
 * @param {string} folder that the tarballs come into
 * @param {string} cache above it
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
    // Another process may have been quicker.
    if (!existsSync(folder)) throw error;
  }
}

/**
 * What was packed long ago is of no use any more; what is young may be installed from at this moment.
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
