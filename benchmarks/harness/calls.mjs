// @ts-check
// Calls between a benchmark and its processes, over the channel that `fork` creates.
import { fork } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { ENVIRONMENT } from "./environment.mjs";
import { end, pidOf } from "./processes.mjs";

/** @typedef {{ readonly id: number, readonly name: string, readonly args: readonly unknown[] }} Call */
/** @typedef {{ readonly id: number, readonly result?: unknown, readonly error?: string }} Answer */
/** @typedef {(...args: never[]) => unknown} Served */
/** @typedef {Readonly<Record<string, Served>>} Functions that a program serves, by name */

/**
 * A running program.
 *
 * @template {Functions} F
 * @typedef {object} Callable
 * @property {number} pid
 * @property {<N extends keyof F>(name: N, ...args: Parameters<F[N]>) => Promise<Awaited<ReturnType<F[N]>>>} call
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a program. The functions that it serves can be called by name.
 *
 * @template {Functions} F
 * @param {URL} program
 * @param {readonly string[]} args
 * @returns {Callable<F>}
 */
export function start(program, args = []) {
  const name = basename(fileURLToPath(program));
  const child = fork(fileURLToPath(program), args, { env: ENVIRONMENT });
  /** @type {Map<number, { resolve: (result: never) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let last = 0;
  child.on("message", (message) => {
    const { id, result, error } = /** @type {Answer} */ (message);
    const caller = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) caller?.reject(new Error(`${name}: ${error}`));
    else caller?.resolve(/** @type {never} */ (result));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${code}`));
  });
  return {
    pid: pidOf(child),
    call: (called, ...args) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        child.send({ id: last, name: called, args }, (error) => error && reject(error));
      }),
    stop: () => end(child),
  };
}

/**
 * Serves functions to the process that started this one.
 *
 * @param {Functions} functions
 */
export function serve(functions) {
  // The parent process normally ends this process. Here the parent has ended first.
  process.on("disconnect", () => process.exit(1));
  /** @param {Answer} answer */
  const tell = (answer) => process.send?.(answer);
  /** @param {Call} call */
  const answer = async ({ id, name, args }) => {
    try {
      const served = functions[name];
      if (served === undefined) throw new Error(`there is no ${name}`);
      tell({ id, result: await served(.../** @type {never[]} */ (args)) });
    } catch (error) {
      tell({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  };
  process.on("message", (message) => void answer(/** @type {Call} */ (message)));
}
