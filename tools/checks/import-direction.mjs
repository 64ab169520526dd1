import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

// Imports, exports from elsewhere, and imports at run time; of types as well.
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g;

/**
 * Circles of imports inside a package: between its files, and between the folders of its sources. A folder is
 * what stands directly below `src`; a file there counts as a folder of its own.
 *
 * @param root the repository's folder
 * @param folder a package's folder, from there
 * @returns one line for each circle
 */
export function circleFaults(root, folder) {
  const src = join(root, folder, "src");
  if (!existsSync(src)) return [];
  const files = new Map(sourceFiles(src).map((file) => [relative(src, file), importsOf(src, file)]));
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

function sourceFiles(src) {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(src, name));
}

function importsOf(src, file) {
  const targets = [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, path]) => join(dirname(file), path));
  return new Set(targets.filter((path) => existsSync(path)).map((path) => relative(src, path)));
}

function topFolder(file) {
  return file.split(sep)[0];
}

/** The sets of nodes that reach each other (Tarjan's strongly connected components), sorted. */
function circles(graph) {
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    order.set(node, order.size);
    lowest.set(node, order.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.toSorted((a, b) => (a < b ? -1 : 1)));
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}
