// @ts-check
// The projects whose tests can see a change: those of the packages that have changed, and of all packages that depend on them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PARENTS = ["packages", "apps", "contrib"];
/** Tests of files that are in no package. */
const BESIDE = ["tools", "images"];

/**
 * @param {readonly string[]} changed paths below the repository
 * @param {ReadonlyMap<string, readonly string[]>} dependencies for each package's folder the folders of its dependencies
 * @returns {string[]} the names of vitest's projects
 */
export function affectedProjects(changed, dependencies) {
  const affected = new Set(changed.map(folderOf).filter((folder) => dependencies.has(folder)));
  // The loop also visits folders that it adds.
  for (const folder of affected) {
    for (const [other, needed] of dependencies) if (needed.includes(folder)) affected.add(other);
  }
  const names = [...affected].flatMap((folder) => folder.split("/")[1] ?? []).toSorted();
  return changed.every((path) => dependencies.has(folderOf(path))) ? names : [...names, ...BESIDE];
}

/** @param {string} path */
function folderOf(path) {
  return path.split("/", 2).join("/");
}

/** @typedef {Partial<Record<"dependencies" | "devDependencies" | "peerDependencies", Record<string, string>>>} Dependencies */

/**
 * All packages of a repository with their dependencies, for {@link affectedProjects}.
 *
 * @param {string} root
 * @returns {Map<string, string[]>}
 */
export function workspaceDependencies(root) {
  const folders = PARENTS.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  const manifests = folders
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: manifestIn(join(root, folder)) }));
  const byName = new Map(manifests.map(({ folder, manifest }) => [manifest.name, folder]));
  return new Map(
    manifests.map(({ folder, manifest: { dependencies, devDependencies, peerDependencies } }) => {
      const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      return [folder, names.flatMap((name) => byName.get(name) ?? [])];
    }),
  );
}

/**
 * @param {string} folder
 * @returns {{ name: string } & Dependencies}
 */
function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
