// @ts-check
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const servers = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");

/**
 * Makes a Python environment with packages from PyPI. It needs a Python of 3.11 or later with venv.
 *
 * @param {string} name of its folder
 * @param {URL} requirements
 * @returns {string} the path of its Python
 */
export function pythonEnvironment(name, requirements) {
  const folder = join(servers, name);
  /** @param {string} command */
  const bin = (command) => join(folder, "bin", command);
  /**
   * Only the result goes to stdout.
   *
   * @param {string} command
   * @param {readonly string[]} args
   */
  const run = (command, ...args) => execFileSync(command, args, { stdio: ["ignore", 2, "inherit"] });

  rmSync(folder, { recursive: true, force: true });
  run("python3", "-m", "venv", folder);
  // pip alone takes eight times as long for 150 packages.
  run(bin("pip"), "install", "--quiet", "--disable-pip-version-check", "uv==0.13.9");
  const options = ["--quiet", "--no-cache", "--system-certs", "--python", bin("python")];
  run(bin("uv"), "pip", "install", ...options, "--requirements", fileURLToPath(requirements));
  return bin("python");
}
