// @ts-check
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { say } from "./say.js";

const require = createRequire(import.meta.url);

export const KINDLING = join(dirname(require.resolve("@kindling/submit-cli/package.json")), "bin", "kindling.js");
export const KINDLING_DEV = join(dirname(require.resolve("@kindling/dev/package.json")), "bin", "kindling-dev.js");

/**
 * Runs a program to its end. What it prints to stdout is taken, unless it is to be seen.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, shows?: boolean }} [options]
 * @returns {Promise<{ code: number, stdout: string }>}
 */
export function run(program, args, { env = {}, shows = false } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = /** @type {const} */ (["inherit", shows ? "inherit" : "pipe", "inherit"]);
    const child = spawn(program, args, { stdio: [...stdio], env: { ...process.env, ...env } });
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout }));
  });
}

/**
 * Runs a command of Kindling, and says which.
 *
 * @param {"kindling" | "kindling dev"} name
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, shows?: boolean }} [options]
 */
export function kindling(name, args, options) {
  say(`${name} ${args.map((arg) => (/[\s#*]/.test(arg) ? `'${arg}'` : arg)).join(" ")}`);
  return run(process.execPath, [name === "kindling" ? KINDLING : KINDLING_DEV, ...args], options);
}
