// @ts-check
// Fetches the Airflow that the end-to-end suite runs against, from PyPI, into a Python environment of its own; prints the
// path of its Python, for KINDLING_E2E_AIRFLOW. It needs a Python of 3.11 or later with venv.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const servers = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const folder = join(servers, "airflow");
/** @param {string} name */
const bin = (name) => join(folder, "bin", name);
/**
 * Only the result goes to stdout.
 *
 * @param {string} command
 * @param {readonly string[]} args
 */
const run = (command, ...args) => execFileSync(command, args, { stdio: ["ignore", 2, "inherit"] });

rmSync(folder, { recursive: true, force: true });
run("python3", "-m", "venv", folder);
// pip alone takes eight times as long for these 150 packages.
run(bin("pip"), "install", "--quiet", "--disable-pip-version-check", "uv==0.13.9");
const requirements = fileURLToPath(new URL("requirements.txt", import.meta.url));
const options = ["--quiet", "--no-cache", "--system-certs", "--python", bin("python")];
run(bin("uv"), "pip", "install", ...options, "--requirements", requirements);
process.stdout.write(`${bin("python")}\n`);
