import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { KindlingError, messageOf } from "@kindling/core-spec";
import type { Env } from "./conf/spark-env.ts";

export interface RunProgramOptions {
  readonly env: Env;
  readonly cwd: string;
  /** Its reason is the signal that this process got, and that the program gets too. */
  readonly signal: AbortSignal;
}

/**
 * Runs a program in the place of this process, with its streams: the program gets this process's signals, and ends when
 * this process is killed.
 *
 * @returns its exit code; for one that a signal ended, what a shell says of it
 * @throws KindlingError `UNSUPPORTED` where it cannot be run
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { env, cwd, signal }: RunProgramOptions,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, cwd, stdio: "inherit" });
    const release = endWithThisProcess(child);
    const onAbort = (): void => {
      // A terminal sends its interrupt to both.
      if (signal.reason === "SIGTERM" || !isatty(0)) child.kill(signal.reason === "SIGTERM" ? "SIGTERM" : "SIGINT");
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => {
      release();
      reject(new KindlingError("UNSUPPORTED", `${program} cannot be run: ${messageOf(error)}`, { cause: error }));
    });
    child.on("exit", (code, killedBy) => {
      release();
      signal.removeEventListener("abort", onAbort);
      resolve(code ?? (killedBy === null ? 1 : 128 + constants.signals[killedBy]));
    });
  });
}

/**
 * Has a shell wait for the end of this process, which may come by a SIGKILL that nobody can pass on, and end the program
 * then. The shell learns of it because the other end of its pipe goes.
 *
 * @returns what to call when the program has ended by itself
 */
function endWithThisProcess({ pid }: ChildProcess): () => void {
  if (pid === undefined || process.platform === "win32") return () => {};
  const watcher = spawn("/bin/sh", ["-c", 'read -r _; kill -TERM "$0"', String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // What a terminal sends to all of its processes must not end the watcher first.
    detached: true,
  });
  watcher.on("error", () => {});
  return () => void watcher.kill("SIGKILL");
}
