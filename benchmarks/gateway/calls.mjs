// Calls between a benchmark and its processes, over the channel that `fork` makes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;

/** Starts a program; what it serves can be called by name. */
export function start(program, args = []) {
  const name = basename(fileURLToPath(program));
  const child = fork(fileURLToPath(program), args.map(String), { env: ENVIRONMENT });
  const waiting = new Map();
  let last = 0;
  child.on("message", ({ id, result, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(`${name}: ${error}`));
  });
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${code}`));
  });
  return {
    pid: child.pid,
    async call(called, ...args) {
      return await new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        child.send({ id: last, name: called, args }, (error) => error && reject(error));
      });
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Serves functions to the process that started this one. */
export function serve(functions) {
  // Whoever would have ended this process has ended without doing so.
  process.on("disconnect", () => process.exit(1));
  const answer = async ({ id, name, args }) => {
    try {
      process.send({ id, result: await functions[name](...args) });
    } catch (error) {
      process.send({ id, error: String(error?.stack ?? error) });
    }
  };
  process.on("message", (call) => void answer(call));
}
