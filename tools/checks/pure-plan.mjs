// @ts-check
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative } from "node:path";

// The folder with modules that only compute, and our packages that they may use.
const PURE = "packages/submit/src/plan";
/** @type {Readonly<Record<string, string>>} */
const OURS = { "@kindling/core-spec": "packages/core-spec/src", "@kindling/steps": "packages/steps/src" };
// External libraries that only compute, too.
const LIBRARIES = new Set(["@noble/hashes/sha2.js", "@noble/hashes/utils.js", "yaml"]);
// These contain only types: nothing of them exists at run time.
const TYPES = /^kubernetes-types\//;

/**
 * Finds imports of the planning of a submission, direct or indirect, that could access the machine: a module of Node, or a
 * package that is not listed above. Each fault names the chain of imports.
 *
 * @param {string} root the repository
 * @param {readonly string[]} files the modules of the pure folder, relative to `root`
 */
export function impureImports(root, files) {
  /** @type {string[]} */
  const faults = [];
  /** @type {Set<string>} */
  const seen = new Set();
  /**
   * @param {string} file
   * @param {readonly string[]} way the files that import it, one after the other
   */
  const visit = (file, way) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const specifier of importsOf(readFileSync(file, "utf8"))) {
      const here = [...way, relative(root, file)];
      const ours = OURS[specifier];
      if (specifier.startsWith(".")) visit(join(dirname(file), specifier), here);
      else if (ours !== undefined) visit(join(root, ours, "index.ts"), here);
      else if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
        faults.push(`${here.join(" -> ")} imports ${specifier}`);
      } else if (!LIBRARIES.has(specifier) && !TYPES.test(specifier)) {
        faults.push(`${here.join(" -> ")} imports ${specifier}, which is not known to be pure`);
      }
    }
  };
  for (const file of files) visit(join(root, PURE, file), []);
  return faults;
}

/**
 * The modules that a source loads with its imports and re-exports. Imports of only types load nothing.
 *
 * @param {string} source
 */
export function importsOf(source) {
  const fromClause = /^(?:import|export)\s+(?!type\b)[^;'"]*?\bfrom\s*["']([^"']+)["']/gm;
  const found = [...source.matchAll(fromClause), ...source.matchAll(/^import\s*["']([^"']+)["']/gm)];
  const dynamic = source.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g);
  const builtin = source.matchAll(/getBuiltinModule\(\s*["']([^"']+)["']/g);
  return [...found, ...dynamic, ...builtin].map(([, specifier = ""]) => specifier);
}

/** The folder, for a caller that lists its files. */
export const PURE_FOLDER = PURE;
