// @ts-check
// The common fields of the manifests of all published packages. They are defined once, in the repository's own package.json.
// `node tools/packages/manifests.mjs` writes them into each package, and a test fails if one differs.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * The members of a package's manifest that are used.
 *
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {string} description
 * @property {boolean} [private]
 * @property {readonly string[]} [keywords]
 * @property {Readonly<Record<string, string>>} [engines]
 * @property {readonly string[]} [files]
 * @property {Entries} [exports]
 * @property {Readonly<Record<string, string>>} [bin]
 * @property {Readonly<Record<string, string>>} [dependencies]
 * @property {Readonly<Record<string, string>>} [peerDependencies]
 * @property {Readonly<Record<string, string>>} [optionalDependencies]
 */

/** @typedef {Readonly<Record<string, string | Targets>>} Entries */
/** @typedef {{ readonly types?: string, readonly "kindling-source"?: string, readonly default: string }} Targets */
/** @typedef {{ readonly folder: string, readonly manifest: Manifest }} Package */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const ORDER = [
  "name",
  "version",
  "description",
  "keywords",
  "homepage",
  "bugs",
  "repository",
  "license",
  "type",
  "sideEffects",
  "engines",
];

/**
 * The packages that are published.
 *
 * @param {string} root the repository
 * @returns {Package[]} each package's folder below the root, and its manifest
 */
export function publishedPackages(root = ROOT) {
  return importedPackages(root).filter(({ manifest }) => manifest.private !== true);
}

/**
 * The published packages, and those that only tests of other packages import.
 *
 * @param {string} root the repository
 * @returns {Package[]}
 */
export function importedPackages(root = ROOT) {
  return ["packages", "contrib"]
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }));
}

/**
 * The fields of a published package that its folder determines, by name.
 *
 * @param {string} folder of the package, from the root
 */
function sharedFields(folder, root = ROOT) {
  const { license, engines, repository } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const page = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  return {
    homepage: `${page}/tree/main/${folder}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { ...repository, directory: folder },
    license,
    engines,
    publishConfig: { access: "public", provenance: true },
  };
}

/**
 * A manifest with the shared fields, in the common order.
 *
 * @param {string} folder of the package, from the root
 * @param {Manifest} manifest
 * @returns {Record<string, unknown>}
 */
export function completed(folder, manifest, root = ROOT) {
  // Unlike npm, pnpm includes this file only if it is listed.
  const files = [...new Set([...(manifest.files ?? []), "CHANGELOG.md"])];
  /** @type {Record<string, unknown>} */
  const all = { ...manifest, files, ...sharedFields(folder, root) };
  const { publishConfig, ...others } = all;
  const first = ORDER.filter((key) => key in others).map((key) => [key, others[key]]);
  const rest = Object.entries(others).filter(([key]) => !ORDER.includes(key));
  return Object.fromEntries([...first, ...rest, ["publishConfig", publishConfig]]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { folder, manifest } of publishedPackages()) {
    writeFileSync(join(ROOT, folder, "package.json"), `${JSON.stringify(completed(folder, manifest), undefined, 2)}\n`);
  }
}
