// @ts-check
// The pnpm version that package.json pins, by version and by SHA-512.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Finds the pinned pnpm: the one on PATH if it has that version; otherwise one that is downloaded from the npm registry once. A
 * downloaded pnpm is run only if it has the pinned digest.
 *
 * @param {string} root the repository
 * @returns {NodeJS.ProcessEnv} an environment in which `pnpm` is the pinned one
 * @throws Error if the download has another digest
 */
export function withPinnedPnpm(root) {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [, version, sha512] = /^pnpm@([^+]+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? [];
  if (version === undefined || sha512 === undefined)
    throw new Error(`packageManager in package.json pins no pnpm: ${packageManager}`);
  if (versionOnPath(root) === version) return process.env;
  // The digest is part of the name, so that a download for another pin is not used for this one.
  const folder = join(root, ".cache", `pnpm-${version}-${sha512.slice(0, 16)}`);
  if (!existsSync(folder)) fetchInto(folder, version, sha512);
  return { ...process.env, PATH: `${join(folder, "node_modules", ".bin")}${delimiter}${process.env.PATH}` };
}

/** @param {string} root */
function versionOnPath(root) {
  try {
    return execFileSync("pnpm", ["--version"], { cwd: root, stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder to create
 * @param {string} version
 * @param {string} sha512 in hexadecimal digits
 */
function fetchInto(folder, version, sha512) {
  mkdirSync(join(folder, ".."), { recursive: true });
  const work = mkdtempSync(`${folder}.`);
  /** @param {readonly string[]} args */
  const npm = (...args) => execFileSync("npm", args, { cwd: work, stdio: ["ignore", "pipe", "inherit"] }).toString();
  try {
    const [{ filename }] = JSON.parse(npm("pack", "--json", "--loglevel=error", `pnpm@${version}`));
    const tarball = join(work, filename);
    const actual = createHash("sha512").update(readFileSync(tarball)).digest("hex");
    if (actual !== sha512) {
      throw new Error(`the registry's pnpm ${version} has the SHA-512 ${actual}, and package.json pins ${sha512}`);
    }
    npm("install", "--prefix", ".", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", tarball);
    rmSync(tarball);
    renameSync(work, folder);
  } catch (error) {
    rmSync(work, { recursive: true, force: true });
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
}
