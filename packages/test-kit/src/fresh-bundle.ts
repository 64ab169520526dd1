import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const TSUP = fileURLToPath(new URL("../../../node_modules/tsup/dist/cli-default.js", import.meta.url));

/**
 * Builds what a package publishes, where it is not there or older than its sources. Tests of a command run what is
 * built; an old one would give answers of the past, and one that is built anew while others read it none at all.
 *
 * @param folder the package's
 * @param bundle the file that is built, from that folder
 * @param inside the packages whose code it holds besides its own
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
