// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { ENVIRONMENT } from "./environment.mjs";

/**
 * A program with its arguments, and the variables that it gets in addition.
 *
 * @typedef {object} Command
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<NodeJS.ProcessEnv>} [env]
 */

/**
 * What a run cost.
 *
 * @typedef {object} Run
 * @property {number} began when (`performance.now`)
 * @property {number} wall seconds of real time
 * @property {number} cpu seconds of processor time
 * @property {number} memory at its peak, in MiB
 */

/**
 * Runs a command, and the processes that it starts.
 *
 * @param {Command} command
 * @returns {Promise<Run>}
 * @throws Error if it fails
 */
export async function measuredRun({ command, args, env = {} }) {
  const began = performance.now();
  const child = spawn("/usr/bin/time", ["-f", "%U %S %M", command, ...args], {
    env: { ...ENVIRONMENT, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  // This clock is finer than the clock of `time`.
  const wall = (performance.now() - began) / 1000;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${said}`);
  const [last = ""] = said.trim().split("\n").slice(-1);
  const [user = 0, system = 0, kilobytes = 0] = last.split(" ").map(Number);
  return { began, wall, cpu: user + system, memory: kilobytes / 1024 };
}
