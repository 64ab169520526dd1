// @ts-check
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { say } from "./say.js";

const require = createRequire(import.meta.url);

export const KINDLING = join(dirname(require.resolve("@kindling/submit-cli/package.json")), "bin", "kindling.js");
export const KINDLING_DEV = join(dirname(require.resolve("@kindling/dev/package.json")), "bin", "kindling-dev.js");

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string>} [env] besides the environment of this process
 * @property {boolean} [shows] whether what it prints to stdout is to be seen; else it is taken
 * @property {AbortSignal} [signal] ends it; the reason is the name of a signal
 */

/**
 * Runs a program to its end.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, stdout: string }>}
 */
export function run(program, args, { env = {}, shows = false, signal } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = /** @type {const} */ (["inherit", shows ? "inherit" : "pipe", "inherit"]);
    const child = spawn(program, args, { stdio: [...stdio], env: { ...process.env, ...env } });
    // A terminal sends its interrupt to all of these processes; a signal that only this one received is passed on.
    const passOn = () => void (signal?.reason !== "SIGINT" && child.kill("SIGTERM"));
    signal?.addEventListener("abort", passOn);
    let stdout = "";
    child.stdout?.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      signal?.removeEventListener("abort", passOn);
      resolve({ code: code ?? 1, stdout });
    });
  });
}

/**
 * Runs a command of Kindling, and prints it.
 *
 * @param {"kindling" | "kindling dev"} name
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export function kindling(name, args, options) {
  say(`${name} ${args.map((arg) => (/[\s#*]/.test(arg) ? `'${arg}'` : arg)).join(" ")}`);
  return run(process.execPath, [name === "kindling" ? KINDLING : KINDLING_DEV, ...args], options);
}
