import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants as fileConstants } from "node:fs";
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
  const refused = (error: unknown): KindlingError => {
    const why = error instanceof Error && "code" in error ? String(error.code) : messageOf(error);
    return new KindlingError("UNSUPPORTED", `${program} cannot be run: ${why}`, { cause: error });
  };
  try {
    accessSync(program, fileConstants.X_OK);
  } catch (error) {
    throw refused(error);
  }
  return new Promise((resolve, reject) => {
    const [child, release] = start(program, args, { env: { ...env }, cwd });
    const onAbort = (): void => {
      // A terminal sends its interrupt to both.
      if (signal.reason === "SIGTERM" || !isatty(0)) child.kill(signal.reason === "SIGTERM" ? "SIGTERM" : "SIGINT");
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => reject(refused(error)));
    child.on("exit", (code, killedBy) => {
      release();
      signal.removeEventListener("abort", onAbort);
      resolve(code ?? (killedBy === null ? 1 : 128 + constants.signals[killedBy]));
    });
  });
}

// Becomes the program when it is told to, and not if that can no longer happen.
const WAITS_FOR_GO = 'read -r _ <&3 || exit 143; exec 3<&-; exec "$0" "$@"';
// Reads no line: its end comes when the process at the other end of the pipe is gone.
const WATCHES = 'read -r _; kill -TERM "$0"';

/**
 * Starts the program behind a shell that watches over it: a SIGKILL of this process cannot be passed on, but closes the
 * shell's pipe.
 *
 * @returns the program, and what to call when it has ended
 */
function start(
  program: string,
  args: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): [ChildProcess, release: () => void] {
  if (process.platform === "win32") return [spawn(program, args, { ...options, stdio: "inherit" }), () => {}];
  const child = spawn("/bin/sh", ["-c", WAITS_FOR_GO, program, ...args], {
    ...options,
    stdio: ["inherit", "inherit", "inherit", "pipe"],
  });
  const watcher = spawn("/bin/sh", ["-c", WATCHES, String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // What a terminal sends to all of its processes must not end the watcher first.
    detached: true,
  });
  watcher.on("error", () => {});
  const go = child.stdio[3];
  if (go !== null && go !== undefined && "end" in go) {
    go.on("error", () => {});
    go.end("\n");
  }
  return [child, () => void watcher.kill("SIGKILL")];
}
