// @ts-check
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The bundle of the command: paths by file name.
 *
 * @param {string} root the repository
 * @returns {Readonly<Record<string, string>>}
 */
export function bundledFiles(root) {
  const folder = join(root, "packages/submit-cli/dist");
  const names = readdirSync(folder).filter((name) => name.endsWith(".cjs"));
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}
