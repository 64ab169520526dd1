import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs a command, and the processes that it starts.
 *
 * @returns when it began (`performance.now`), seconds by the clock, seconds of processor time, and peak memory in MiB
 */
export async function measuredRun({ command, args, env = {} }) {
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const began = performance.now();
  const child = spawn("/usr/bin/time", ["-f", "%U %S %M", command, ...args], {
    env: { ...environment, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const [code] = await once(child, "close");
  const wall = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${errors}`);
  const [user, system, kilobytes] = errors.trim().split("\n").at(-1).split(" ").map(Number);
  return { began, wall, cpu: user + system, memory: kilobytes / 1024 };
}
