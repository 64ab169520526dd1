import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const BUNDLE = join(PACKAGE, "dist/kindling.cjs");

/** Tests of the command run the built bundle; one that is older than the sources would give answers of the past. */
export function setup(): void {
  const sources = ["src", ...["core-spec", "steps", "kube", "staging-client"].map((name) => `../${name}/dist`)];
  const newest = Math.max(...sources.map((folder) => newestFile(join(PACKAGE, folder))));
  if (existsSync(BUNDLE) && statSync(BUNDLE).mtimeMs >= newest) return;
  const tsup = join(PACKAGE, "../../node_modules/tsup/dist/cli-default.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsup], { cwd: PACKAGE, encoding: "utf8" });
  if (status !== 0) throw new Error(`tsup failed:\n${stdout}${stderr}`);
}

function newestFile(folder: string): number {
  if (!existsSync(folder)) return 0;
  return Math.max(
    ...readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"))
      .map((name) => statSync(join(folder, name)).mtimeMs),
  );
}
