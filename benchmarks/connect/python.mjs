// @ts-check
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The longest program runs for half an hour. */
const LIMIT_MS = 2_400_000;

/**
 * Runs a program of this folder with the Python that has Spark's client.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {string} [caFile] authorities that it accepts
 * @returns {Promise<string>} the last line that it printed
 * @throws Error if it failed
 */
export function python(name, args, caFile) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  const env = { ...process.env, ...(caFile !== undefined && { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: caFile }) };
  return new Promise((resolve, reject) => {
    const child = spawn(process.env["KINDLING_E2E_CONNECT_PYTHON"] ?? "python3", ["-W", "ignore", program, ...args], {
      env,
      timeout: LIMIT_MS,
    });
    let [out, errors] = ["", ""];
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (errors = `${errors}${text}`.slice(-2000)));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(out.trim().split("\n").at(-1) ?? "");
      else reject(new Error(`${name} ended with ${code ?? signal}: ${errors}`));
    });
  });
}
