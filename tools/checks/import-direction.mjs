// @ts-check
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

// Imports, exports from other files, and imports at run time. Imports of types count too.
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

/**
 * Circles of imports inside a package: between its files, and between the folders of its sources. A folder is a folder directly
 * below `src`; a file directly below `src` counts as a folder too.
 *
 * @param {string} root the repository's folder
 * @param {string} folder a package's folder, relative to `root`
 * @returns {string[]} one line for each circle
 */
export function circleFaults(root, folder) {
  const src = join(root, folder, "src");
  if (!existsSync(src)) return [];
  const files = new Map(sourceFiles(src).map((file) => [relative(src, file), importsOf(src, file)]));
  /** @type {Map<string, Set<string>>} */
  const folders = new Map();
  for (const [file, imports] of files) {
    const from = topFolder(file);
    const targets = folders.get(from) ?? new Set();
    for (const target of imports) if (topFolder(target) !== from) targets.add(topFolder(target));
    folders.set(from, targets);
  }
  return [
    ...circles(files).map((circle) => `${folder}: files import each other: ${circle.join(", ")}`),
    ...circles(folders).map((circle) => `${folder}: folders import each other: ${circle.join(", ")}`),
  ];
}

/** @param {string} src */
function sourceFiles(src) {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(src, name));
}

/**
 * @param {string} src
 * @param {string} file
 */
function importsOf(src, file) {
  const targets = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, path = ""]) => join(dirname(file), path));
  return new Set(targets.filter((path) => existsSync(path)).map((path) => relative(src, path)));
}

/** @param {string} file */
function topFolder(file) {
  return file.split(sep)[0] ?? "";
}

/**
 * The sets of nodes that reach each other (Tarjan's strongly connected components), sorted.
 *
 * @param {ReadonlyMap<string, ReadonlySet<string>>} graph the nodes that each node leads to
 */
function circles(graph) {
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /**
   * @param {string} node
   * @returns {number} the lowest place in the stack that it leads to
   */
  const visit = (node) => {
    const place = stack.push(node) - 1;
    seen.add(node);
    let lowest = place;
    for (const next of graph.get(node) ?? []) {
      if (!seen.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, stack.indexOf(next));
    }
    if (lowest < place) return lowest;
    const circle = stack.splice(place);
    if (circle.length > 1) found.push(circle.toSorted((a, b) => (a < b ? -1 : 1)));
    // The node is no longer on the stack, so that it leads nowhere.
    return Infinity;
  };
  for (const node of graph.keys()) if (!seen.has(node)) visit(node);
  return found;
}
