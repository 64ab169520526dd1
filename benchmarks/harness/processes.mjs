// @ts-check
// Processes of a benchmark: how they are started, awaited and ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ENVIRONMENT } from "./environment.mjs";
import { sleep } from "./wait.mjs";

const ANSWER_TRIES = 200;
const BETWEEN_TRIES_MS = 50;
const KEPT_ERRORS = 4_000;

/**
 * @typedef {object} Started
 * @property {number} pid
 * @property {() => Promise<void>} stop ends it, and resolves when it has ended
 */

/**
 * The id of a process that has been started.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @throws Error if it could not be started
 */
export function pidOf(child) {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} did not start`);
  return child.pid;
}

/** @param {import("node:child_process").ChildProcess} child */
export function isRunning(child) {
  return child.exitCode === null && child.signalCode === null;
}

/**
 * Ends a process that is still running; resolves when it has ended.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} [signal]
 */
export async function end(child, signal = "SIGTERM") {
  if (!isRunning(child)) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/**
 * The lines that a program of this benchmark prints, one after the other. Its stderr is passed on.
 *
 * @param {string} program a module for Node
 * @param {readonly string[]} [args]
 * @param {readonly string[]} [flags] of Node
 * @returns {Started & { line: () => Promise<string> }}
 */
export function startTelling(program, args = [], flags = []) {
  const child = spawn(process.execPath, [...flags, program, ...args], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: pidOf(child),
    async line() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${program} has ended`);
      return value;
    },
    stop: () => end(child),
  };
}

/**
 * Starts a server, and waits until it answers.
 *
 * @param {import("./measured-run.mjs").Command} command
 * @param {string} uri where it answers
 * @returns {Promise<Started>}
 */
export async function startServer({ command, args, env }, uri) {
  const child = spawn(command, args, { env: { ...ENVIRONMENT, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors = (errors + text).slice(-KEPT_ERRORS)));
  child.on("error", ({ message }) => (errors = message));
  try {
    await untilAnswered(child, uri);
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`${command} did not start: ${errors}`, { cause: error });
  }
  return { pid: pidOf(child), stop: () => end(child) };
}

/**
 * Resolves when a server gives a good answer.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} uri
 * @param {(response: Response) => boolean} [isWell] whether an answer is good
 * @throws Error if the process has ended, or if it takes too long
 */
export async function untilAnswered(child, uri, isWell = () => true) {
  for (let attempt = 0; attempt < ANSWER_TRIES; attempt++) {
    if (!isRunning(child)) throw new Error("the server has ended");
    const isThere = await fetch(uri).then(isWell, () => false);
    if (isThere) return;
    await sleep(BETWEEN_TRIES_MS);
  }
  throw new Error(`nothing answers at ${uri}`);
}
