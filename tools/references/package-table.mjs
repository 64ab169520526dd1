// @ts-check
// Writes the tables of packages in docs/architecture.md and CONTRIBUTING.md from the manifests of the packages. Each package
// comes after all packages that it imports.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { publishedPackages } from "../packages/manifests.mjs";

const root = new URL("../../", import.meta.url);

/** @typedef {{ name: string, description: string, imports: string[] }} Row a package, and the packages that it imports */
/** @typedef {(name: string) => string} Link to a package */

/**
 * The pages, and how each links to a package.
 *
 * @type {readonly { page: URL, link: Link }[]}
 */
export const PACKAGE_TABLES = [
  { page: new URL("docs/architecture.md", root), link: (name) => `../packages/${name}` },
  { page: new URL("CONTRIBUTING.md", root), link: (name) => `packages/${name}` },
];

const BEGIN = "<!-- packages: node tools/references/package-table.mjs -->";
const END = "<!-- end of packages -->";
const SCOPE = "@kindling/";
const FOLDER = "packages/";
/** If a package imports more packages than this, only those are named that no other imported package brings. */
const MOST_NAMED = 6;

/** @returns {Row[]} */
function rowsOfPackages() {
  return publishedPackages(fileURLToPath(root))
    .filter(({ folder }) => folder.startsWith(FOLDER))
    .map(({ folder, manifest: { description, dependencies = {}, peerDependencies = {} } }) => ({
      name: folder.slice(FOLDER.length),
      description,
      imports: Object.keys({ ...dependencies, ...peerDependencies })
        .filter((one) => one.startsWith(SCOPE))
        .map((one) => one.slice(SCOPE.length)),
    }));
}

/**
 * Each package comes after all packages that it imports: a package with a shorter chain of imports comes first. Packages with
 * chains of the same length are sorted by name.
 *
 * @template {{ name: string, imports: readonly string[] }} T
 * @param {readonly T[]} packages
 */
export function inOrder(packages) {
  const byName = new Map(packages.map((one) => [one.name, one]));
  /** @type {Map<string, number>} */
  const depths = new Map();
  /**
   * @param {string} name
   * @returns {number}
   */
  const depthOf = (name) => {
    const imports = byName.get(name)?.imports ?? [];
    const depth = depths.get(name) ?? 1 + Math.max(0, ...imports.map(depthOf));
    depths.set(name, depth);
    return depth;
  };
  return packages.toSorted((a, b) => depthOf(a.name) - depthOf(b.name) || a.name.localeCompare(b.name));
}

/**
 * @param {Row} row
 * @param {ReadonlyMap<string, Row>} byName
 */
function importsText({ imports }, byName) {
  if (imports.length === 0) return "none";
  if (imports.length <= MOST_NAMED) return imports.toSorted().join(", ");
  const brought = new Set(imports.flatMap((name) => byName.get(name)?.imports ?? []));
  const named = imports.filter((name) => !brought.has(name)).toSorted();
  return `${named.join(", ")}, and some of what these import`;
}

/** @param {Link} link */
function table(link) {
  const packages = inOrder(rowsOfPackages());
  const byName = new Map(packages.map((one) => [one.name, one]));
  const rows = packages.map(
    (one) => `| [${one.name}](${link(one.name)}) | ${one.description} | ${importsText(one, byName)} |`,
  );
  return ["| package | what it is for | imports of ours |", "|---|---|---|", ...rows].join("\n");
}

/**
 * A page with its table as it should be now.
 *
 * @param {string} text of the page
 * @param {Link} link
 */
export function withPackageTable(text, link) {
  const [before = "", rest = ""] = text.split(BEGIN);
  const [, after = ""] = rest.split(END);
  return `${before}${BEGIN}\n\n${table(link)}\n\n${END}${after}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { page, link } of PACKAGE_TABLES)
    writeFileSync(fileURLToPath(page), withPackageTable(readFileSync(page, "utf8"), link));
}
