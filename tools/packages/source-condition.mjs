// @ts-check
// With this condition, the tests of this repository use the sources of a package instead of its build. `node
// tools/packages/source-condition.mjs` writes it into the manifest of each package that has entries, and a test fails if it is
// missing. Published packages do not have it: see .pnpmfile.cjs.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { importedPackages } from "./manifests.mjs";

/** @typedef {import("./manifests.mjs").Entries} Entries */
/** @typedef {import("./manifests.mjs").Targets} Targets */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The same name as in vitest.base.ts and .pnpmfile.cjs. */
export const SOURCE_CONDITION = "kindling-source";

/**
 * A package's entries, each with the source of its declarations.
 *
 * @param {Entries} entries `exports` of its manifest
 * @returns {Entries} the same with the condition
 */
export function withSources(entries) {
  return Object.fromEntries(Object.entries(entries).map(([entry, targets]) => [entry, withSource(targets)]));
}

/**
 * @param {string | Targets} targets
 * @returns {string | Targets}
 */
function withSource(targets) {
  if (typeof targets === "string") return targets;
  const [, module] = /^\.\/dist\/(.*)\.d\.ts$/.exec(targets.types ?? "") ?? [];
  if (module === undefined) return targets;
  // Before `default`, because `default` always matches.
  const { default: built, ...others } = targets;
  return { ...others, [SOURCE_CONDITION]: `./src/${module}.ts`, default: built };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { folder, manifest } of importedPackages()) {
    const written = { ...manifest, exports: withSources(manifest.exports ?? {}) };
    writeFileSync(join(ROOT, folder, "package.json"), `${JSON.stringify(written, undefined, 2)}\n`);
  }
}
