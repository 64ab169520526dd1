// The operator's own modules, which its package does not export: bundled from source for a comparison.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsup";

/** Bundled CommonJS modules ask for Node's own. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
const SOURCE = fileURLToPath(new URL("../../packages/operator/src/", import.meta.url));

/**
 * Loads modules of `packages/operator/src`.
 *
 * @param {readonly string[]} paths below that folder, such as `webhook-fields/webhook-fields.ts`
 * @returns {Promise<Record<string, any>>} all that they export
 */
export async function sourceModules(paths) {
  const outDir = await mkdtemp(join(tmpdir(), "kindling-operator-"));
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }));
  const entry = Object.fromEntries(paths.map((path) => [basename(path, ".ts"), join(SOURCE, path)]));
  await build({
    entry,
    outDir,
    format: "esm",
    platform: "node",
    banner: { js: REQUIRE },
    noExternal: [/.*/],
    config: false,
    silent: true,
    outExtension: () => ({ js: ".mjs" }),
  });
  const files = Object.keys(entry).map((name) => pathToFileURL(join(outDir, `${name}.mjs`)).href);
  const modules = await Promise.all(files.map((file) => import(file)));
  return Object.assign({}, ...modules);
}
