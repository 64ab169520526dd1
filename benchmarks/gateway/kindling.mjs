// @ts-check
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const KINDLING = fileURLToPath(new URL("../../packages/submit-cli/bin/kindling.js", import.meta.url));

/** @typedef {{ exit: number, out: string, err: string }} Said the output of a command, with its exit code */

/**
 * Runs the command to its end, and returns its output.
 *
 * @param {readonly string[]} args
 * @param {(line: string) => void} [onLine] called with each line of its output as it comes
 * @returns {Promise<Said>}
 */
export async function kindling(args, onLine) {
  const child = spawn(process.execPath, [KINDLING, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  if (onLine !== undefined) createInterface({ input: child.stdout }).on("line", onLine);
  child.stderr.on("data", (chunk) => (said.err += chunk));
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ exit: code ?? 128, ...said }));
  });
}
