// Whose tests can see a change: those of the packages that have changed, and of all that depend on these.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PARENTS = ["packages", "apps", "contrib"];
/** The tests of what stands beside the packages. */
const BESIDE = ["tools", "images"];

/**
 * @param {string[]} changed paths below the repository
 * @param {Map<string, string[]>} dependencies by each package's folder, those of the packages that it depends on
 * @returns {string[]} the names of vitest's projects
 */
export function affectedProjects(changed, dependencies) {
  const affected = new Set(changed.map(folderOf).filter((folder) => dependencies.has(folder)));
  for (const folder of affected) {
    // What is added here comes up later.
    for (const [other, needed] of dependencies) if (needed.includes(folder)) affected.add(other);
  }
  const names = [...affected].map((folder) => folder.split("/")[1]).toSorted();
  return changed.every((path) => dependencies.has(folderOf(path))) ? names : [...names, ...BESIDE];
}

function folderOf(path) {
  return path.split("/", 2).join("/");
}

/** All packages of a repository, as {@link affectedProjects} takes them. */
export function workspaceDependencies(root) {
  const folders = PARENTS.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  const manifests = folders
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => [folder, JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))]);
  const byName = new Map(manifests.map(([folder, { name }]) => [name, folder]));
  return new Map(
    manifests.map(([folder, { dependencies, devDependencies, peerDependencies }]) => {
      const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      return [folder, names.flatMap((name) => byName.get(name) ?? [])];
    }),
  );
}
