// @ts-check
// Node's executables of other versions and platforms than this machine's. They come from the npm registry, and are kept in
// the repository's folder .cache.
//
// `node deploy/node-executable.mjs VERSION` prints the path of one for this machine.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const CACHE = fileURLToPath(new URL("../.cache", import.meta.url));

/** This machine's platform, as the npm packages with Node name it. */
export const HERE = `${process.platform}-${process.arch}`;

/**
 * Node's executable, which is fetched if it is not there yet.
 *
 * @param {string} version or the beginning of one, such as `26`
 * @param {string} [platform] such as `linux-arm64`
 * @returns {string} its path
 * @throws Error if the npm registry has no such version
 */
export function nodeExecutable(version, platform = HERE) {
  const name = `node-${platform}`;
  const folder = join(CACHE, `${name}-${version}`);
  const executable = join(folder, "node_modules", name, "bin", platform.startsWith("win") ? "node.exe" : "node");
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  // npm installs into the nearest folder with this file. With --prefix, it would look for this machine's own settings, such as
  // its authorities, below that folder instead.
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  // Without --force, npm refuses a package for another platform.
  const options = ["--force", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    execFileSync("npm", ["install", ...options, `${name}@${version}`], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw new Error(`the npm registry gave no ${name}@${version}`, { cause: error });
  }
  return executable;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const version = process.argv[2];
  if (version === undefined) throw new Error("usage: node deploy/node-executable.mjs VERSION");
  process.stdout.write(`${nodeExecutable(version)}\n`);
}
