import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TSUP = fileURLToPath(new URL("../../../node_modules/tsup/dist/cli-default.js", import.meta.url));

/**
 * Builds the published bundle of a package if it is missing or older than its sources. Tests of a command run the bundle. An
 * old bundle would give old results, and a bundle that is rebuilt while others read it would give none.
 *
 * @param folder the package's
 * @param bundle the built file, relative to that folder
 * @param inside the packages with code in the bundle besides its own
 */
export function buildIfStale(folder: string, bundle: string, inside: readonly string[]): void {
  const path = join(folder, bundle);
  const sources = ["src", ...inside.map((name) => `../${name}/dist`)];
  const newest = Math.max(...sources.map((source) => newestFile(join(folder, source))));
  if (existsSync(path) && statSync(path).mtimeMs >= newest) return;
  const { status, stdout, stderr } = spawnSync(process.execPath, [TSUP], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`tsup failed:\n${stdout}${stderr}`);
}

function newestFile(folder: string): number {
  if (!existsSync(folder)) return 0;
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"))
      .map((name) => statSync(join(folder, name)).mtimeMs),
  );
}
