import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { GatewayOptions } from "@kindling/gateway";

type Steps = NonNullable<GatewayOptions["steps"]>;

const CREATE_STEP = createRequire(import.meta.url).resolve("@kindling/create-step/package.json");

/** The contributed steps of this repository, by package. */
export const CONTRIBUTED = ["@kindling/steps-vault", "@kindling/steps-labels", "@kindling/steps-corporate"];

/**
 * Makes a package with `npm create @kindling/step`, and makes it and the contributed ones available in a folder, as if they
 * were installed there.
 *
 * @returns the value for `--steps`
 */
export function installSteps(folder: string): string {
  const bin = join(dirname(CREATE_STEP), "bin", "create-step.js");
  execFileSync(process.execPath, [bin, "cost-center"], { cwd: folder, stdio: "pipe" });
  mkdirSync(join(folder, "node_modules"));
  const own = fileURLToPath(new URL("../node_modules/@kindling", import.meta.url));
  symlinkSync(own, join(folder, "node_modules", "@kindling"));
  return [`./cost-center/src/index.js`, ...CONTRIBUTED].join(",");
}

/** The same steps, for a gateway. */
export async function installedSteps(folder: string): Promise<Steps> {
  const require = createRequire(join(folder, "noop.js"));
  const made = pathToFileURL(join(folder, "cost-center", "src", "index.js")).href;
  const places = [
    made,
    ...CONTRIBUTED.map((name) => pathToFileURL(entryOf(require.resolve(`${name}/package.json`))).href),
  ];
  const modules = (await Promise.all(places.map((place) => import(place)))) as { default: Steps[number] }[];
  return modules.map((module) => module.default);
}

function entryOf(manifest: string): string {
  return join(dirname(manifest), "dist", "index.js");
}
